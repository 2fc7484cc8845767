package deck

import (
	"context"

	"cxdeck/store"
	"cxdeck/ui"
)

// SessionsMsg brings the list of sessions, newest first, or why there is none.
type SessionsMsg struct {
	Sessions []store.Session
	Err      error
}

// LoadSessions reads the list of sessions outside the terminal loop; a SessionsMsg brings it to every screen. The
// History screen keeps it up to date and hands it to KeepSessions.
func (d *Deck) LoadSessions() ui.Cmd {
	db := d.DB
	if db == nil {
		return nil
	}
	d.sessionsAsked = true
	return ui.Background("Read the list of sessions", func(ctx context.Context) ui.Msg {
		sessions, err := db.Sessions(ctx)
		return SessionsMsg{Sessions: sessions, Err: err}
	})
}

// LoadSessionsOnce is LoadSessions the first time and nil from then on: the first screen that shows calls it, so that
// the palette knows the sessions.
func (d *Deck) LoadSessionsOnce() ui.Cmd {
	if d.sessionsAsked {
		return nil
	}
	return d.LoadSessions()
}

// KeepSessions remembers the list for the palette.
func (d *Deck) KeepSessions(sessions []store.Session) { d.sessions = sessions }
