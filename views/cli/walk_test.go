package cli

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// Keys of a walk, and texts for fields and searches.
var (
	walkMoves = []string{
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "tab", "shift+tab", "enter", "enter", " ", "esc", "backspace",
		"delete", "shift+left", "shift+right", "f1", "f5", "ctrl+a", "ctrl+o", "ctrl+f", "ctrl+u", "ctrl+p", "ctrl+right", "ctrl+left",
	}
	walkLetters = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789*+-=[];,.|(){}@#/:?!"
	walkTexts   = []string{"ethernet 7", "drop", "kbytes sent", "zzz", "14:02", "80%", "-1", "1e400", "9k", "日本", "a\x1b[31m", "\u202e", "/dev/null/x"}
)

// walk is a console with random keys, texts, mouse events and sizes.
type walk struct {
	*viewtest.Stage
	random *rand.Rand
	trail  []string
}

// step sends a random input.
func (w *walk) step() {
	press := func(key string) {
		w.trail = append(w.trail, key)
		w.Press(key)
	}
	switch n := w.random.IntN(100); {
	case n < 40:
		press(walkMoves[w.random.IntN(len(walkMoves))])
	case n < 70:
		letters := []rune(walkLetters)
		press(string(letters[w.random.IntN(len(letters))]))
	case n < 75:
		text := walkTexts[w.random.IntN(len(walkTexts))]
		w.trail = append(w.trail, strconv.Quote(text))
		w.Shell.Send(ui.PasteMsg{Text: text})
	case n < 95:
		buttons := []ui.MouseButton{ui.Press, ui.Press, ui.WheelUp, ui.WheelDown, ui.Drag, ui.Release, ui.RightPress}
		msg := ui.MouseMsg{X: w.random.IntN(120), Y: w.random.IntN(40), Button: buttons[w.random.IntN(len(buttons))]}
		w.trail = append(w.trail, "mouse "+strconv.Itoa(msg.X)+","+strconv.Itoa(msg.Y)+","+strconv.Itoa(int(msg.Button)))
		w.Text()
		w.Shell.Send(msg)
	case n < 97:
		sizes := [][2]int{{80, 24}, {120, 40}, {60, 16}, {20, 5}, {240, 70}, {1, 1}}
		size := sizes[w.random.IntN(len(sizes))]
		w.trail = append(w.trail, strconv.Itoa(size[0])+"x"+strconv.Itoa(size[1]))
		w.Resize(size[0], size[1])
	default:
		w.Shell.Send(ui.DataMsg{})
	}
	w.WaitIdle()
	w.Text()
}

// walkSeeds returns the range of seeds, one for each walk; CXDECK_WALKS sets their number.
func walkSeeds(t *testing.T) (from, to int) {
	t.Helper()
	more, there := os.LookupEnv("CXDECK_WALKS")
	if !there {
		return 0, 3
	}
	n, err := strconv.Atoi(more)
	if err != nil {
		t.Fatal(err)
	}
	return 1000, 1000 + n
}

// TestConsoleSurvivesRandomUse sends random keys, texts and mouse events to all screens, dialogs and wizards, live and in a
// replay: nothing panics, neither in the terminal loop nor in background work.
func TestConsoleSurvivesRandomUse(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Chdir(t.TempDir()) // exports go here
	t.Setenv("HOME", t.TempDir())
	from, to := walkSeeds(t)
	for seed := from; seed < to; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) { walkOnce(t, uint64(seed)) })
	}
}

// walkOnce walks on the live lab, or for an odd seed in a replay.
func walkOnce(t *testing.T, seed uint64) {
	const visits = 60
	w := &walk{random: rand.New(rand.NewPCG(seed, 9))}
	if seed%2 == 1 {
		w.Stage = newShowing(t).Stage
		w.Press("8", "enter", "2")
		w.Want("replay of session 1")
	} else {
		w.Stage = liveStage(t)
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("after %q", w.trail)
			panic(p)
		}
	}()
	for range visits {
		w.Press(strconv.Itoa(1 + w.random.IntN(8)))
		for range 1 + w.random.IntN(40) {
			if w.step(); w.Shell.Quitting() {
				return
			}
		}
	}
}

// liveStage returns a console on a fast lab, with a recording.
func liveStage(t *testing.T) *viewtest.Stage {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0", Levels: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	source := viewtest.Lab(t)
	recorder, err := db.Begin(ctx, source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, 30)
	d.DB, d.Recorder, d.NoDB = db, recorder, ""
	t.Cleanup(func() {
		if err := recorder.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return viewtest.Open(t, d, Screens(d))
}
