package ui

import (
	"io"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// screen writes frames to a terminal in a separate goroutine, so that a slow terminal never blocks the loop: while a frame is
// being written the screen is busy, and the loop composes the next frame when it is free again.
//
// Two canvases are used in turn: one is shown, the other is drawn on. The loop may read the shown one (for the mouse), but
// draws only on the canvas that draw returns.
type screen struct {
	out   io.Writer
	spare *widget.Canvas
	tasks chan screenTask
	free  chan *widget.Canvas
	done  chan struct{}
}

type screenTask struct {
	canvas  *widget.Canvas
	painter *themes.Painter
	all     bool
	mouse   bool // the terminal reports the mouse
}

// newScreen starts the writing. freed is called in the writer's goroutine each time it can take another frame, failed
// when writing is no longer possible or the writer panicked.
func newScreen(out io.Writer, freed func(), failed func(err any)) *screen {
	s := &screen{out: out, spare: widget.NewCanvas(0, 0), tasks: make(chan screenTask, 1), free: make(chan *widget.Canvas, 1),
		done: make(chan struct{})}
	go s.write(freed, failed)
	return s
}

func (s *screen) write(freed func(), failed func(err any)) {
	defer close(s.done)
	defer func() {
		if p := recover(); p != nil {
			failed(asCrash(p, "drawing on the terminal"))
		}
	}()
	shown := widget.NewCanvas(0, 0)
	d := &differ{}
	var bytes []byte
	mouse := false
	for task := range s.tasks {
		if task.all {
			d.setPainter(task.painter)
		}
		bytes = bytes[:0]
		if task.all || task.mouse != mouse {
			bytes = append(bytes, mouseSequence(task.mouse)...)
			mouse = task.mouse
		}
		bytes = append(bytes, d.frame(shown, task.canvas, task.all)...)
		if len(bytes) > 0 {
			if _, err := s.out.Write(bytes); err != nil {
				failed(err)
				return
			}
		}
		shown, task.canvas = task.canvas, shown
		s.free <- task.canvas
		freed()
	}
}

func mouseSequence(on bool) string {
	if on {
		return mouseOn
	}
	return mouseOff
}

// draw returns the canvas for the next frame, nil while the last one is still being written.
func (s *screen) draw() *widget.Canvas {
	if s.spare == nil {
		select {
		case s.spare = <-s.free:
		default:
		}
	}
	return s.spare
}

// show writes the canvas that draw passed to the terminal. With all everything is written, regardless of the previous frame. The
// reports of the mouse are turned on or off with the frame, because the loop must not wait for a slow terminal.
func (s *screen) show(painter *themes.Painter, all, mouse bool) {
	// The channel has room: the writer has taken the previous frame, otherwise the canvas would not be free. The loop must not
	// wait here, because the writer may be waiting for it.
	s.tasks <- screenTask{s.spare, painter, all, mouse}
	s.spare = nil
}

// close ends the writing, after the frame that is being written.
func (s *screen) close() { close(s.tasks) }
