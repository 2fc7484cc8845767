// Command bench runs the built console in a pseudo-terminal that answers no query, measures its response times (time to the
// first frame, key to screen, resize, quit) and its costs (processor time, memory, bytes to the terminal), and measures htop
// and btop in the same way. It prints a Markdown table. Linux only.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// row is one line of the result.
type row struct{ what, budget, figure string }

func main() {
	seconds := flag.Int("seconds", 30, "length of each measured run")
	starts := flag.Int("starts", 15, "how many starts the start-up medians are of")
	flag.Parse()
	if err := run(time.Duration(*seconds)*time.Second, *starts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(length time.Duration, starts int) error {
	directory, err := os.MkdirTemp("", "cxdeck-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)                           //nolint:errcheck // a temporary directory
	binary := filepath.Join(directory, "program", "cxdeck") // outside the state directory
	build := exec.Command("go", "build", "-o", binary, ".") //nolint:gosec,noctx // the name is generated here, and an interrupt ends both
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	fmt.Printf("120x40, 1 s refresh, recording on; runs of %v, start-up figures are medians of %d.\n\n", length, starts)
	fmt.Println("| what | budget | measured |")
	fmt.Println("| --- | --- | --- |")
	steps := []func() ([]row, error){
		func() ([]row, error) { return startRows(binary, directory, starts, htop, btop) },
		func() ([]row, error) { return keyRows(binary, directory) },
		func() ([]row, error) {
			return steadyRows("Counters, 8 lines", binary, directory, length, 8e3, "--screen", "counters")
		},
		func() ([]row, error) {
			return steadyRows("Overview, 8 ports", binary, directory, length, 8e3, "--screen", "overview")
		},
		func() ([]row, error) {
			return steadyRows("Counters, --low-bandwidth", binary, directory, length, 2e3, "--screen", "counters", "--low-bandwidth")
		},
		func() ([]row, error) { return frozenRow(binary, directory, length/3) },
		func() ([]row, error) { return otherRows(length, htop) },
		func() ([]row, error) { return otherRows(length, btop) },
	}
	for _, step := range steps {
		rows, err := step()
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Printf("| %s | %s | %s |\n", r.what, r.budget, r.figure)
		}
	}
	return nil
}

// other is another monitor for comparison.
type other struct {
	name      string
	arguments []string
	// frame is a text at the end of its first full frame; ratio is the maximum of our time relative to its time, 0 for no
	// limit.
	frame string
	ratio float64
}

var (
	htop = other{"htop", []string{"-d", "10"}, "Quit", 0.3}
	btop = other{"btop", []string{"--utf-force"}, "Program:", 0}
)

// startRows measures the time from the start of the process to the first full frame and to the first rates, and from q to the
// end. The other monitors start in turn with ours, so that a slow phase of the machine affects all figures.
func startRows(binary, directory string, starts int, others ...other) ([]row, error) {
	var frame, rates, quit []time.Duration
	theirs := make([][]time.Duration, len(others))
	for range starts {
		for i := range others {
			first, err := others[i].firstFrame()
			if err != nil {
				return nil, err
			}
			if first > 0 {
				theirs[i] = append(theirs[i], first)
			}
		}
		p, err := start(directory, binary, "--screen", "overview")
		if err != nil {
			return nil, err
		}
		first, err := p.waitFor("help")
		if err != nil {
			return nil, err
		}
		// The identity of an adapter has a rate, too; eight ports have more.
		shown, err := p.waitForCount("b/s", 8)
		if err != nil {
			return nil, err
		}
		frame, rates = append(frame, first.Sub(p.started)), append(rates, shown.Sub(p.started))
		time.Sleep(300 * time.Millisecond)
		pressed := time.Now()
		p.write("q")
		if err := p.waitEnd(3 * time.Second); err != nil {
			return nil, err
		}
		quit = append(quit, time.Since(pressed))
	}
	rows := []row{
		{"first full frame", "25 ms", milliseconds(median(frame))},
		{"first rates", "250 ms", milliseconds(median(rates))},
		{"q to the end of the process", "60 ms", milliseconds(median(quit))},
	}
	for i, one := range others {
		if len(theirs[i]) == 0 {
			continue
		}
		budget := ""
		if one.ratio > 0 {
			budget = fmt.Sprint(one.ratio)
		}
		rows = append(rows, row{"first full frame, as a part of " + one.name + "'s", budget,
			fmt.Sprintf("%.2f of %s", float64(median(frame))/float64(median(theirs[i])), milliseconds(median(theirs[i])))})
	}
	return rows, nil
}

// firstFrame returns the time from the start of another monitor to its first full frame; 0 when it is not installed.
func (o *other) firstFrame() (time.Duration, error) {
	path, err := exec.LookPath(o.name)
	if err != nil {
		return 0, nil
	}
	directory, err := o.home()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	p, err := start(directory, path, o.arguments...)
	if err != nil {
		return 0, err
	}
	defer p.kill()
	shown, err := p.waitFor(o.frame)
	return shown.Sub(p.started), err
}

// home creates a directory with the settings of the monitor. btop reads its interval, in milliseconds, only from a file.
func (o *other) home() (string, error) {
	directory, err := os.MkdirTemp("", "cxdeck-bench-")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(directory, "btop"), 0o700); err != nil {
		return "", err
	}
	return directory, os.WriteFile(filepath.Join(directory, "btop", "btop.conf"), []byte("update_ms = 1000\n"), 0o600)
}

// keyRows measures from a key to the first byte of the answer, and from a resize to the last byte of its frame, while
// the console records.
func keyRows(binary, directory string) ([]row, error) {
	p, err := start(directory, binary, "--screen", "overview")
	if err != nil {
		return nil, err
	}
	defer p.kill()
	if _, err := p.waitFor("b/s"); err != nil {
		return nil, err
	}
	var keys []time.Duration
	for i := range 200 {
		time.Sleep(37 * time.Millisecond)
		key := "j"
		if i%2 == 1 {
			key = "k"
		}
		answer, err := p.answer(func() { p.write(key) })
		if err != nil {
			return nil, err
		}
		keys = append(keys, answer)
	}
	var resizes []time.Duration
	for i := range 10 {
		time.Sleep(150 * time.Millisecond)
		settled, err := p.settled(func() { p.resize(100+i%2*20, 40) })
		if err != nil {
			return nil, err
		}
		resizes = append(resizes, settled)
	}
	slices.Sort(keys)
	return []row{
		{"key to output, median", "20 ms", milliseconds(median(keys))},
		{"key to output, 95th percentile", "40 ms", milliseconds(keys[len(keys)*95/100])},
		{"key to output, worst of 200", "100 ms", milliseconds(keys[len(keys)-1])},
		{"resize settled, worst of 10", "60 ms", milliseconds(slices.Max(resizes))},
	}, nil
}

// steadyRows measures the cost of an idle screen.
func steadyRows(name, binary, directory string, length time.Duration, bytesLimit float64, arguments ...string) ([]row, error) {
	used, err := measureCost(directory, binary, length, arguments)
	if err != nil {
		return nil, err
	}
	return []row{
		{name + ": processor time", fmt.Sprintf("%.2f s in %.0f s", 0.6*length.Seconds()/30, length.Seconds()), fmt.Sprintf("%.2f s", used.processor.Seconds())},
		{name + ": resident memory", "36 MB", megabytes(used.resident)},
		{name + ": growth over the second half, as an hour", "2 MB", megabytesSigned(used.growthAnHour)},
		{name + ": bytes to the terminal", fmt.Sprintf("%.0f kB/s", bytesLimit/1e3), fmt.Sprintf("%.2f kB/s", used.bytesASecond/1e3)},
	}, nil
}

// frozenRow measures the bytes that a frozen Counters screen writes.
func frozenRow(binary, directory string, length time.Duration) ([]row, error) {
	p, err := start(directory, binary, "--screen", "counters")
	if err != nil {
		return nil, err
	}
	defer p.kill()
	if _, err := p.waitFor("b/s"); err != nil {
		return nil, err
	}
	p.write("f")
	time.Sleep(time.Second)
	before := p.bytes()
	time.Sleep(length)
	return []row{{"Counters, frozen: bytes to the terminal", "0", fmt.Sprintf("%d in %v", p.bytes()-before, length)}}, nil
}

// otherRows measures the costs of another monitor; without an installed one it returns "not installed".
func otherRows(length time.Duration, o other) ([]row, error) {
	name := o.name
	path, err := exec.LookPath(name)
	if err != nil {
		return []row{{name, "", "not installed"}}, nil
	}
	directory, err := o.home()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	used, err := measureCost(directory, path, length, o.arguments)
	if err != nil {
		return nil, err
	}
	return []row{
		{name + ": processor time", "", fmt.Sprintf("%.2f s", used.processor.Seconds())},
		{name + ": resident memory", "", megabytes(used.resident)},
		{name + ": bytes to the terminal", "", fmt.Sprintf("%.2f kB/s", used.bytesASecond/1e3)},
	}, nil
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

func megabytesSigned(bytes float64) string { return fmt.Sprintf("%+.1f MB", bytes/1e6) }
