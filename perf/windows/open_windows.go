package windows

import (
	"errors"
	"io"
	"os"
	"time"

	"cxdeck/perf"
)

// settle is the time between the first two samples: a rate needs two.
const settle = 100 * time.Millisecond

// Open opens this machine as a source. It needs no privileges; reading the registry and the event log is allowed to all users by
// default, and a machine that denies it is shown without them.
func Open() (perf.Source, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	counters, err := openPerformance()
	if err != nil {
		return nil, errors.Join(errors.New("the counters of this machine can't be read"), err)
	}
	root, err := openControl()
	if err != nil {
		root = nil
	}
	log, err := openLog()
	if err != nil {
		log = nil
	}
	s, err := newSource(perf.CleanText(host, perf.NameLimit), counters, root, log, time.Now)
	if err != nil {
		_ = counters.Close()
		return nil, err
	}
	s.machine = LocalMachine()
	s.inventory = s.takeInventory(s.schema.Series)
	time.Sleep(settle)
	if err := counters.Collect(); err != nil {
		_ = counters.Close()
		return nil, err
	}
	if err := s.discover(); err != nil {
		_ = counters.Close()
		return nil, err
	}
	return s, nil
}

// ExportRegistry writes the keys of this machine's adapters as regedit exports them, see WriteRegistry.
func ExportRegistry(w io.Writer, all bool) (omitted int, err error) {
	root, err := openControl()
	if err != nil {
		return 0, err
	}
	defer root.Close() //nolint:errcheck // opened for reading
	adapters, err := ReadAdapters(root)
	if err != nil {
		return 0, err
	}
	return WriteRegistry(w, adapters, all)
}
