package ui

import (
	"slices"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Shell is the root model: the screens, the dialogs over them, and the dispatch of messages. It belongs to one goroutine, the
// terminal loop; tests use Send, WaitIdle and Frame and need no terminal.
type Shell struct {
	options  Options
	views    []View
	active   int
	dialogs  []*layer
	aside    []*layer // dialogs that wait in the background
	toasts   []toast
	journal  []LogEntry
	look     int
	mouseOn  bool
	globals  []Action
	registry workRegistry
	feeds    map[string]*feed
	trail    trail

	width, height int
	canvas        *widget.Canvas // the current frame; hits are looked up in it
	hints         []hint         // the actions of the status line, by zone index
	barDrawn      bool           // Options.Rule drew into the frame
	pointer       pointer

	queue    []Msg
	jobs     []job
	dirty    urgency
	repaint  bool
	suspend  bool
	inLines  bool // RunPlain runs it
	quitting bool
	ticking  bool // a workTickMsg is scheduled
}

// urgency says when a frame is due.
type urgency uint8

const (
	clean    urgency = iota // the screen is up to date
	newData                 // new data: at the pace of the terminal
	answered                // a key or the mouse: at once
)

// NewShell returns a shell. Its first screen receives a ShowMsg.
func NewShell(options Options) *Shell {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Product == "" {
		options.Product = "cxdeck"
	}
	if len(options.Looks) == 0 {
		options.Looks = []Look{plainLook()}
	}
	s := &Shell{options: options, views: options.Views, mouseOn: options.Mouse, feeds: map[string]*feed{}, canvas: widget.NewCanvas(0, 0)}
	s.globals = s.globalActions()
	s.active = max(0, slices.IndexFunc(s.views, func(v View) bool { return v.ID() == options.Start }))
	for i, feed := range options.Feeds {
		s.follow(feedName(i), feed)
	}
	s.show(s.active, nil)
	if options.Notice != "" {
		s.notice(options.Notice)
	}
	s.Send(nil)
	return s
}

// Send handles a message completely; slow work goes to the list of jobs, which Run passes to Bubble Tea and WaitIdle runs.
func (s *Shell) Send(msg Msg) {
	if msg != nil {
		s.queue = append(s.queue, msg)
	}
	for len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.handle(next)
	}
}

// runCmd runs a command: its message is handled before the next message from outside.
func (s *Shell) runCmd(cmd Cmd) {
	if cmd == nil {
		return
	}
	if msg := cmd(); msg != nil {
		s.queue = append(s.queue, msg)
	}
}

// handle dispatches a message to its handler.
func (s *Shell) handle(msg Msg) {
	switch msg := msg.(type) {
	case KeyMsg:
		s.requestFrame(answered)
		s.key(msg)
	case MouseMsg:
		s.mouse(msg)
	case PasteMsg:
		s.requestFrame(answered)
		s.paste(msg)
	case SizeMsg:
		s.requestFrame(answered)
		s.width, s.height, s.repaint = msg.Width, msg.Height, true
	case DataMsg:
		s.data()
	case feedMsg:
		s.handleFeed(msg)
	case openMsg:
		if s.restoreDialog(msg.dialog.Title()) {
			break
		}
		s.requestFrame(answered)
		s.dialogs = append(s.dialogs, &layer{msg.dialog})
		if opener, ok := msg.dialog.(Opener); ok {
			s.runCmd(opener.Opened())
		}
	case toastMsg:
		s.requestFrame(answered)
		s.toast(msg.severity, msg.text)
	case toastEndMsg:
		s.requestFrame(answered)
		s.expireToasts()
	case workTickMsg:
		s.workTicked()
	case goMsg:
		s.requestFrame(answered)
		s.showView(msg.viewID, msg.arg)
	case logMsg:
		s.requestFrame(answered)
		s.record(msg.entry)
	case batchMsg:
		for _, cmd := range msg {
			s.runCmd(cmd)
		}
	case backgroundMsg:
		s.startWork(msg)
	case workDoneMsg:
		s.endWork(msg)
	case afterMsg:
		s.startTimer(msg)
	case followMsg:
		s.follow(msg.name, msg.feed)
	case quitMsg:
		s.quitting = true
		for _, dialog := range slices.Concat(s.dialogs, s.aside) {
			s.closeDialog(dialog)
		}
	default:
		s.requestFrame(answered)
		s.broadcast(msg)
	}
}

// requestFrame asks for a frame.
func (s *Shell) requestFrame(u urgency) { s.dirty = max(s.dirty, u) }

// data notifies the visible screen of new data. A frozen picture is not redrawn.
func (s *Shell) data() {
	if s.options.Arrived != nil {
		for _, cmd := range s.options.Arrived() {
			s.runCmd(cmd)
		}
	}
	if f, ok := s.view().(Freezer); !ok || !f.Frozen() || len(s.dialogs) > 0 || len(s.listWaits()) > 0 {
		s.requestFrame(newData)
	}
	if view := s.view(); view != nil {
		s.runCmd(view.Update(DataMsg{}))
	}
	for _, dialog := range slices.Clone(s.dialogs) {
		s.sendToDialog(dialog, DataMsg{})
	}
	s.sendToBackground(DataMsg{})
}

// broadcast passes a message of another owner to all dialogs and screens: the owner recognises its type.
func (s *Shell) broadcast(msg Msg) {
	for _, dialog := range slices.Clone(s.dialogs) {
		s.sendToDialog(dialog, msg)
	}
	s.sendToBackground(msg)
	for _, view := range s.views {
		s.runCmd(view.Update(msg))
	}
}

// layer holds a dialog: its pointer is comparable, which dialogs need not be.
type layer struct{ Dialog }

// sendToDialog sends a dialog a message and closes it when it says that it is done.
func (s *Shell) sendToDialog(dialog *layer, msg Msg) {
	done, cmd := dialog.Update(msg)
	if done {
		s.closeDialog(dialog)
	}
	s.runCmd(cmd)
}

func (s *Shell) closeDialog(dialog *layer) {
	i, aside := slices.Index(s.dialogs, dialog), slices.Index(s.aside, dialog)
	switch {
	case i >= 0:
		s.dialogs = slices.Delete(s.dialogs, i, i+1)
	case aside >= 0:
		s.aside = slices.Delete(s.aside, aside, aside+1)
	default:
		return
	}
	if closer, ok := dialog.Dialog.(Closer); ok {
		s.runCmd(closer.Closed())
	}
}

// dialog returns the dialog on top, nil when none is open.
func (s *Shell) dialog() *layer {
	if len(s.dialogs) == 0 {
		return nil
	}
	return s.dialogs[len(s.dialogs)-1]
}

// view returns the screen at the front, nil when there is none at all.
func (s *Shell) view() View {
	if s.active >= len(s.views) {
		return nil
	}
	return s.views[s.active]
}

// showView brings the view with an ID to the front.
func (s *Shell) showView(id string, arg any) {
	i := slices.IndexFunc(s.views, func(v View) bool { return v.ID() == id })
	if i < 0 {
		s.toast(Failure, "There is no screen named "+id+".")
		return
	}
	s.show(i, arg)
}

// show brings a view to the front and brings it up to date.
func (s *Shell) show(i int, arg any) {
	if i < 0 || i >= len(s.views) {
		return
	}
	s.active = i
	s.requestFrame(answered)
	s.runCmd(s.views[i].Update(ShowMsg{Arg: arg}))
	s.runCmd(s.views[i].Update(DataMsg{}))
}

// Active returns the ID of the screen at the front.
func (s *Shell) Active() string {
	if view := s.view(); view != nil {
		return view.ID()
	}
	return ""
}

// Quitting reports that the console should end.
func (s *Shell) Quitting() bool { return s.quitting }

// glyphs returns the symbols of the current look.
func (s *Shell) glyphs() *themes.Glyphs { return s.options.Looks[s.look].Glyphs }

// painter returns the painter of the current look; only the writer uses it.
func (s *Shell) painter() *themes.Painter { return s.options.Looks[s.look].Painter }

// SizeMsg is the size of the terminal in cells.
type SizeMsg struct{ Width, Height int }
