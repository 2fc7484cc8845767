package cli

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/views/cli/process"
)

// TestServeUntilEnded serves a lab with a fault from a history, is scraped, and ends with 0 when the operator ends it.
func TestServeUntilEnded(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "cxdeck.db")
	if r := runLine(t, "exec", "--db", db, "cable", "pull", "Ethernet 7"); r.code != 0 {
		t.Fatal(r.err)
	}
	read, write := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Build{Version: "1.2.3"}, []string{"serve", "--db", db, "--listen", "127.0.0.1:0", "--interval", "100ms"},
			process.Streams{Out: write, Err: &errs, Environment: func(string) (string, bool) { return "", false }})
		write.Close() // nobody reads on
	}()
	line := make([]byte, 200)
	n, err := read.Read(line)
	if err != nil {
		t.Fatalf("no line: %v, %s", err, errs.String())
	}
	_, rest, _ := strings.Cut(string(line[:n]), " at ")
	url, _, found := strings.Cut(rest, ": ")
	if !found {
		t.Fatalf("the line is %q", line[:n])
	}
	answer, err := http.Get(url) // it is the server's own address
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close() // it was read
	if err != nil || !strings.Contains(string(text), `cxdeck_port_up{device="Ethernet 7",adapter="ConnectX-5 Ex"} 0`) {
		t.Errorf("%v; the scrape shows no pulled cable", err)
	}
	stop()
	if code := <-ended; code != exitDone || errs.Len() > 0 {
		t.Errorf("the end: code %d, %s", code, errs.String())
	}
}

func TestMistakesOfServe(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0") // it opens at once
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() // nothing was sent
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"serve --listen 1":                                {exitMistake, "--listen must be an address and a port"},
		"serve --web-config /nonexistent":                 {exitMistake, "--web-config: /nonexistent can't be used"},
		"serve rules x":                                   {exitMistake, "serve rules takes no arguments"},
		"serve --max-series 0":                            {exitMistake, "--max-series must be an integer from 1"},
		`serve \`:                                         {exitMistake, ""},
		"serve --listen " + taken.Addr().String():         {exitFailed, "is in use"},
		"serve --listen 127.0.0.1:0 --source /none.csv":   {exitMistake, "there is no log file"},
		"serve --listen 127.0.0.1:0 --db /none/cxdeck.db": {exitFailed, "/none/cxdeck.db"},
	} {
		r := runLine(t, strings.Fields(line)...)
		if r.code != want.code || !strings.Contains(r.err, want.text) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: code %d, %q, want %d, %q", line, r.code, r.err, want.code, want.text)
		}
	}
}

func TestServedFiles(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{"dashboard": `"title": "ConnectX adapters"`, "rules": "alert: PauseStorm"} {
		if r := runLine(t, "serve", what); r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("serve %s: code %d, %s", what, r.code, r.err)
		}
	}
}
