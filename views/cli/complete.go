package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/views/cli/completion"
	"cxdeck/views/control"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/complete"
	"cxdeck/views/sessions"
)

// completeCommand is the hidden command that the completion scripts call:
//
//	cxdeck __complete bash LINE       LINE is the command line up to the cursor, as it was typed
//	cxdeck __complete SHELL WORD... :PART
//
// The first line of the answer is "words", or "files" where a file name is valid, too. Each further line is a word, a tab and
// its description; for bash it is the quoted text to insert.
const completeCommand = "__complete"

// completionTime limits reading the names of a host, and answerTime waiting for the console that owns it: a console that hangs
// must not block the shell.
const completionTime, answerTime = 2 * time.Second, 500 * time.Millisecond

// runComplete answers a completion script.
func (s *session) runComplete(arguments []string) error {
	if len(arguments) < 2 {
		return mistake("%s is for the completion scripts; cxdeck completion prints them", completeCommand)
	}
	shell, typed := arguments[0], arguments[len(arguments)-1]
	s.streams.Err = io.Discard // errors would appear in the typed line
	words, part, line := arguments[1:len(arguments)-1], strings.TrimPrefix(typed, ":"), completion.BashLine{}
	switch shell {
	case "bash":
		line = completion.ReadBashLine(typed)
		words, part = line.Words, line.Part
	case "powershell", "fish":
		part = completion.Unquote(part)
	}
	found := s.complete(words, part)
	var b strings.Builder
	if found.Files {
		b.WriteString("files\n")
	} else {
		b.WriteString("words\n")
	}
	for _, candidate := range found.Candidates {
		if candidate.Word != exec.Clean(candidate.Word) {
			continue
		}
		if shell != "bash" {
			fmt.Fprintf(&b, "%s\t%s\n", candidate.Word, exec.Clean(candidate.Help))
		} else if text, ok := line.Insertion(candidate.Word); ok {
			b.WriteString(text + "\n")
		}
	}
	_, err := io.WriteString(s.streams.Out, b.String())
	return err
}

// complete returns the candidates for part after words, which follow the program's name.
func (s *session) complete(words []string, part string) complete.Completion {
	all := commands()
	command := all[0]
	if len(words) > 0 {
		if found, err := findCommand(all, words[0]); err == nil {
			command, words = found, words[1:]
		}
	}
	s.command = command
	rows := command.rows()
	if found, name, ok := completeFlag(rows, words, part); ok {
		if before, value := flagPart(part, name); name == "lab" {
			for _, c := range matchPrefix(s.twinNames(words), value) {
				found.Candidates = append(found.Candidates, complete.Candidate{Word: before + c.Word, Help: c.Help})
			}
		}
		return found
	}
	_, rest := splitFlags(rows, words)
	var list []complete.Candidate
	if strings.HasPrefix(part, "-") {
		for _, row := range rows {
			list = append(list, complete.Candidate{Word: "--" + row.name, Help: row.help})
		}
	}
	switch {
	case command.name == "exec":
		found := s.completeExec(words, rest, part)
		found.Candidates = append(found.Candidates, matchPrefix(list, part)...)
		return found
	case command.name == "" || command.name == "help" && len(rest) == 0:
		for _, c := range all[1:] {
			list = append(list, complete.Candidate{Word: c.name, Help: c.help})
		}
	case len(rest) == 0 && command.words != nil:
		for _, word := range command.words() {
			list = append(list, complete.Candidate{Word: word})
		}
	case command.name == "sessions" && takesFile(rest):
		return complete.Completion{Candidates: matchPrefix(list, part), Files: true}
	case command.name == "sessions" && expectsSession(rest):
		list = append(list, s.sessionIDs(words)...)
	case command.name == "twin":
		return s.completeTwin(words, rest, list, part)
	}
	return complete.Completion{Candidates: matchPrefix(list, part)}
}

func matchPrefix(list []complete.Candidate, part string) []complete.Candidate {
	return slices.DeleteFunc(list, func(c complete.Candidate) bool { return !strings.HasPrefix(c.Word, part) })
}

// flagPart splits the typed part of a flag's value: "--lab=we" is "--lab=" and "we".
func flagPart(part, name string) (before, value string) {
	if rest, ok := strings.CutPrefix(part, "--"+name+"="); ok {
		return "--" + name + "=", rest
	}
	return "", part
}

// completeTwin completes the name of a twin, and files after it.
func (s *session) completeTwin(words, rest []string, list []complete.Candidate, part string) complete.Completion {
	named := map[string]int{"show": 1, "remove": 1, "check": 1}[rest[0]]
	if len(rest)-1 < named {
		list = append(list, s.twinNames(words)...)
	}
	files := rest[0] == "collect" && len(rest) == 1 || (rest[0] == "make" || rest[0] == "check") && len(rest) > 1
	return complete.Completion{Candidates: matchPrefix(list, part), Files: files}
}

// twinNames returns the twins beside the history; the flags among the words select the history. After --lab it also returns the
// other twins that --lab can name.
func (s *session) twinNames(words []string) (list []complete.Candidate) {
	lab := len(words) > 0 && words[len(words)-1] == "--lab"
	if lab {
		words = words[:len(words)-1]
	}
	if !s.readFlags(words) {
		return nil
	}
	stores := s.lab().TwinStores()
	if !lab {
		stores = stores[:1]
	}
	for _, twins := range stores {
		names, _ := twins.Names() // a folder that can't be read completes nothing
		for _, name := range names {
			list = append(list, complete.Candidate{Word: name, Help: "twin of a real host"})
		}
	}
	return list
}

// completeFlag completes the value of a flag, and returns its name; ok is false if no value is expected.
func completeFlag(rows []flagRow, words []string, part string) (found complete.Completion, name string, ok bool) {
	before := ""
	if flag, value, found := strings.Cut(part, "="); found && strings.HasPrefix(flag, "--") {
		name, before, part = flag, flag+"=", value
	} else if len(words) > 0 {
		name = words[len(words)-1]
	}
	for _, row := range rows {
		if row.value == "" || "--"+row.name != name && (row.short == "" || "-"+row.short != name) {
			continue
		}
		found.Files = row.files
		if row.words != nil {
			for _, word := range row.words() {
				if strings.HasPrefix(word, part) {
					found.Candidates = append(found.Candidates, complete.Candidate{Word: before + word})
				}
			}
		}
		return found, row.name, true
	}
	return complete.Completion{}, "", false
}

// readFlags parses the flags among words, which select the host, and makes the session read-only. It reports whether they are
// valid.
func (s *session) readFlags(words []string) bool {
	if s.parse(words) != nil || s.options.help || s.options.version {
		return false
	}
	s.options.readOnly, s.options.wait = true, 0
	return true
}

// completeExec completes a command of exec with the names of the host: of the process that owns it, or of the last saved host.
func (s *session) completeExec(words, rest []string, part string) complete.Completion {
	ctx, cancel := context.WithTimeout(s.ctx, completionTime)
	defer cancel()
	bench := &execBench{session: s, deadline: time.Now(), ownerTimeout: answerTime}
	defer bench.close() //nolint:errcheck // nothing was written
	found := complete.Words(ctx, catalog.Commands(), rest, part, func(ctx context.Context) (exec.Host, exec.DraftStore, error) {
		if !s.readFlags(words) {
			return nil, nil, errors.New("the flags can't be read")
		}
		var err error
		if bench.text, err = s.lab().Text(); err != nil {
			return nil, nil, err
		}
		return bench.open(ctx)
	})
	if bench.remote == nil {
		return found
	}
	limited, cancelAnswer := context.WithTimeout(ctx, answerTime)
	defer cancelAnswer()
	var answer bytes.Buffer
	_, err := bench.remote.Run(limited, control.Request{Words: rest, Place: part, Complete: true, ReadOnly: true}, control.ClientIO{Out: &answer, Err: io.Discard})
	var theirs complete.Completion
	if err != nil || json.Unmarshal(answer.Bytes(), &theirs) != nil {
		return found
	}
	return theirs
}

// completeCall completes a command for another process. call.Place has the typed part of the word.
func completeCall(ctx context.Context, call *control.Call, runner *exec.Runner) error {
	found := complete.Words(ctx, catalog.Commands(), call.Words, call.Place, func(ctx context.Context) (exec.Host, exec.DraftStore, error) {
		host, err := runner.Open(ctx)
		return host, runner.Drafts, err
	})
	return json.NewEncoder(call.Out).Encode(found)
}

// expectsSession reports whether the next argument of a verb of sessions is the number of a session.
func expectsSession(rest []string) bool {
	verb, ok := sessions.Find(rest[0])
	return ok && (verb.IDs < 0 || len(rest)-1 < verb.IDs)
}

// takesFile reports whether the next argument of a verb of sessions is a file.
func takesFile(rest []string) bool {
	verb, ok := sessions.Find(rest[0])
	return ok && verb.File && len(rest)-1 == max(verb.IDs, 0)
}

// sessionIDs returns the sessions of the history, newest first.
func (s *session) sessionIDs(words []string) (list []complete.Candidate) {
	if !s.readFlags(words) {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, completionTime)
	defer cancel()
	db, err := store.Open(ctx, s.options.db, store.Options{ReadOnly: true, Version: s.version})
	if err != nil {
		return nil
	}
	defer db.Close() //nolint:errcheck // nothing was written
	all, err := db.Sessions(ctx)
	if err != nil {
		return nil
	}
	for i := range all {
		list = append(list, complete.Candidate{Word: strconv.FormatInt(all[i].ID, 10),
			Help: all[i].Source.Name + " on " + wording.Stamp(all[i].Started)})
	}
	return list
}

func runCompletion(s *session) error {
	if len(s.arguments) != 1 {
		return mistake("completion requires the name of a shell: %s", strings.Join(s.command.words(), ", "))
	}
	script, known := completion.Script(s.arguments[0])
	if !known {
		return mistake("no completion for %q%s", s.arguments[0], hint(s.arguments[0], s.command.words()))
	}
	_, err := io.WriteString(s.streams.Out, script)
	return err
}
