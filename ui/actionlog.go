package ui

import "cxdeck/themes"

// maxLogEntries is the number of entries of the action log in memory.
const maxLogEntries = 1000

// record adds a line to the action log.
func (s *Shell) record(entry LogEntry) {
	if entry.At.IsZero() {
		entry.At = s.options.Now()
	}
	s.trail.add(entry.At, entry.What)
	if len(s.journal) == maxLogEntries {
		s.journal = append(s.journal[:0], s.journal[1:]...)
	}
	s.journal = append(s.journal, entry)
	if s.options.Log != nil {
		s.options.Log(entry)
	}
}

// openLog shows the action log, the newest first, each line with the equivalent commands.
func (s *Shell) openLog() Cmd {
	var lines []paragraph
	for i := len(s.journal) - 1; i >= 0; i-- {
		entry := s.journal[i]
		lines = append(lines, paragraph{lead: entry.At.Format("15:04:05"), text: entry.What})
		for _, command := range entry.Commands {
			lines = append(lines, paragraph{indented: true, text: command, role: themes.Accent})
		}
	}
	if len(lines) == 0 {
		lines = []paragraph{{text: "Nothing has been done yet. What cxdeck does to the host or to its files is listed here, " +
			"with the equivalent commands."}}
	}
	return OpenDialog(&sheet{title: "Action log", leadWidth: 10, paragraphs: lines})
}
