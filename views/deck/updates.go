package deck

import (
	"context"
)

// Updates gives a token when the live source or the open session has something new; tokens that nobody takes are
// dropped. Follow feeds it from the live source.
func (d *Deck) Updates() <-chan struct{} {
	if d.updates == nil {
		d.updates = make(chan struct{}, 1)
	}
	return d.updates
}

// Follow passes the live source's updates on until ctx ends. Call it once, before the terminal loop starts.
func (d *Deck) Follow(ctx context.Context) {
	d.Updates()
	go forward(ctx.Done(), d.Live.Updates(), d.updates)
}

// follow passes a replay's updates on until it ends.
func (d *Deck) follow(r *Replay) {
	d.Updates()
	go forward(r.ended, r.Monitor.Updates(), d.updates)
}

func forward(done, from <-chan struct{}, to chan<- struct{}) {
	for {
		select {
		case <-done:
			return
		case _, ok := <-from:
			if !ok {
				return
			}
			select {
			case to <- struct{}{}:
			default:
			}
		}
	}
}
