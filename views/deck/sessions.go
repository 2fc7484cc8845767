package deck

import (
	"context"

	"cxdeck/store"
	"cxdeck/ui"
)

// SessionsMsg contains the list of sessions, newest first, or the error.
type SessionsMsg struct {
	Sessions []store.Session
	Err      error
}

// LoadSessions reads the list of sessions outside the terminal loop; every screen gets it as a SessionsMsg. The History
// screen updates it and passes it to KeepSessions.
func (d *Deck) LoadSessions() ui.Cmd {
	db := d.DB
	if db == nil {
		return nil
	}
	d.sessionsRequested = true
	return ui.Background("Read the list of sessions", func(ctx context.Context) ui.Msg {
		sessions, err := db.Sessions(ctx)
		return SessionsMsg{Sessions: sessions, Err: err}
	})
}

// LoadSessionsOnce is LoadSessions the first time, and nil afterwards: the first visible screen calls it for the palette.
func (d *Deck) LoadSessionsOnce() ui.Cmd {
	if d.sessionsRequested {
		return nil
	}
	return d.LoadSessions()
}

// KeepSessions stores the list for the palette.
func (d *Deck) KeepSessions(sessions []store.Session) { d.sessions = sessions }
