package ui

import (
	"strconv"
)

// The ids of the shell's actions that code refers to.
const (
	actionQuitNow = "shell.quit-now"
	actionSuspend = "shell.suspend"
	actionRepaint = "shell.repaint"
	actionPalette = "shell.palette"
	actionHelp    = "shell.help"
	actionScreen  = "shell.screen." // the prefix of actions that open a screen
)

// globalActions returns the shell's own actions, declared once. The number keys follow them.
func (s *Shell) globalActions() []Action {
	actions := []Action{
		{ID: actionPalette, Keys: []string{":", "ctrl+p"}, Name: "command",
			Help: "Find an action, a screen or an object by part of its name", Run: s.openPalette},
		{ID: actionHelp, Keys: []string{"?", "f1"}, Name: "help",
			Help: "Explain this screen and list every key that works here", Run: s.openHelp},
		{ID: "shell.log", Keys: []string{"!"}, Name: "action log", Hidden: true,
			Help: "Show what cxdeck did, with the equivalent commands", Run: s.openLog},
		{ID: "shell.theme", Keys: []string{"T"}, Name: "theme", Hidden: true,
			Help: "Change to the next theme", Run: s.nextTheme},
		{ID: "shell.mouse", Keys: []string{"M"}, Name: "mouse", Hidden: true,
			Help: "Turn the mouse off, so that the terminal can select and copy text, or on again", Run: s.toggleMouse},
		{ID: actionScreen + "next", Keys: []string{"ctrl+right", "ctrl+pgdown"}, Name: "next screen", Hidden: true,
			Help: "Go to the screen to the right", Run: func() Cmd { return s.step(1) }},
		{ID: actionScreen + "previous", Keys: []string{"ctrl+left", "ctrl+pgup"}, Name: "previous screen", Hidden: true,
			Help: "Go to the screen to the left", Run: func() Cmd { return s.step(-1) }},
		{ID: actionRepaint, Keys: []string{"ctrl+l"}, Name: "repaint", Hidden: true,
			Help: "Redraw the screen after another program has written to it", Run: s.repaintAll},
		{ID: actionSuspend, Keys: []string{"ctrl+z"}, Name: "suspend", Hidden: true, Disabled: s.options.suspendRefusal,
			Help: "Suspend cxdeck and return to the shell; fg resumes it", Run: s.suspendSoon},
		{ID: "shell.quit", Keys: []string{"q"}, Name: "quit", Hidden: true,
			Help: "Quit cxdeck; it asks first when something would be lost", Run: s.quit},
		{ID: actionQuitNow, Keys: []string{"ctrl+c"}, Name: "quit at once", Hidden: true,
			Help: "Quit cxdeck without asking; recorded data are kept", Run: Quit},
	}
	for i, view := range s.views {
		if i == maxNumbered {
			break
		}
		actions = append(actions, Action{ID: actionScreen + view.ID(), Keys: []string{numberKey(i)},
			Name: view.Title(), Help: "Go to the screen " + view.Title(), Hidden: true,
			Run: func() Cmd { return Go(view.ID(), nil) }})
	}
	return actions
}

// maxNumbered is the number of screens with a number key: 1 to 9, then 0.
const maxNumbered = 10

// numberKey returns the number key of a screen.
func numberKey(i int) string { return strconv.Itoa((i + 1) % maxNumbered) }

func (s *Shell) step(by int) Cmd {
	if n := len(s.views); n > 0 {
		s.show((s.active+by+n)%n, nil)
	}
	return nil
}

func (s *Shell) nextTheme() Cmd {
	s.look = (s.look + 1) % len(s.options.Looks)
	s.repaint = true
	return Toast(Note, "Theme: "+s.options.Looks[s.look].Name)
}

func (s *Shell) toggleMouse() Cmd {
	s.mouseOn = !s.mouseOn
	if s.mouseOn {
		return Toast(Note, "The mouse is on.")
	}
	return Toast(Note, "The mouse is off: the terminal selects and copies text. M turns it on again.")
}

func (s *Shell) repaintAll() Cmd {
	s.repaint = true
	return nil
}

func (s *Shell) suspendSoon() Cmd {
	s.suspend = true
	return nil
}

func (s *Shell) quit() Cmd {
	if ask := s.options.QuitQuestion; ask != nil {
		if question := ask(); question != nil {
			return question
		}
	}
	return Quit()
}
