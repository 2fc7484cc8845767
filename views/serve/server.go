package serve

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/regular"
)

// DefaultListen is the default address: other machines reach the server only if the operator asks for it.
const DefaultListen = "127.0.0.1:9756"

// Options are the options of a server.
type Options struct {
	// Listen is the address and port; port 0 chooses a free one.
	Listen string
	// WebConfig is the path of the web configuration file; empty for none.
	WebConfig string
	Selection Selection
	Version   string
	Log       *slog.Logger
}

// The limits of a connection.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10
	// maxScrapes is the number of scrapes at a time; more are refused.
	maxScrapes = 8
	// grace is the time for which running scrapes may go on when the server ends.
	grace = time.Second
)

// ConfigError is an error of the web configuration file or of the address: a mistake of the operator.
type ConfigError struct{ Text string }

// Error returns the sentence.
func (e *ConfigError) Error() string { return e.Text }

// Server serves the metrics of a source.
type Server struct {
	options    Options
	config     *webConfig
	listener   net.Listener
	exposition exposition
	scrapes    chan struct{}
	texts      sync.Pool // of *[]byte
	packers    sync.Pool // of *gzip.Writer
}

// Listen checks the options and opens the port.
func Listen(ctx context.Context, options Options) (*Server, error) {
	config, err := readWebConfig(options.WebConfig)
	if err != nil {
		return nil, &ConfigError{fmt.Sprintf("--web-config: %s can't be used: %s", options.WebConfig, regular.Reason(err))}
	}
	if _, _, err := net.SplitHostPort(options.Listen); err != nil {
		return nil, &ConfigError{fmt.Sprintf("--listen must be an address and a port, such as %s, not %q", DefaultListen, options.Listen)}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", options.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the port %s is in use: end the other program, or choose another port with --listen", options.Listen)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("the port %s requires more rights: choose a port from 1024 with --listen", options.Listen)
	case err != nil:
		return nil, fmt.Errorf("can't listen on %s: %s", options.Listen, listenReason(err))
	}
	return &Server{options: options, config: config, listener: listener, scrapes: make(chan struct{}, maxScrapes)}, nil
}

// listenReason returns the reason in an error about an address, without the address.
func listenReason(err error) string {
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	var address *net.AddrError
	if errors.As(err, &address) {
		return address.Err
	}
	var name *net.DNSError
	if errors.As(err, &name) {
		return name.Err
	}
	return err.Error()
}

// URL returns the address of the metrics.
func (s *Server) URL() string {
	scheme := "http"
	if s.config.encrypted() {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String() + "/metrics"
}

// Exposed reports whether other machines can read the metrics without a password or a certificate.
func (s *Server) Exposed() bool {
	address, ok := s.listener.Addr().(*net.TCPAddr)
	return ok && !address.IP.IsLoopback() && !s.config.protected()
}

// Close closes the port of a server that does not run.
func (s *Server) Close() error { return s.listener.Close() }

// Bind sets the source whose metrics are served.
func (s *Server) Bind(live Live) {
	s.exposition.live, s.exposition.selection, s.exposition.version = live, s.options.Selection, s.options.Version
}

// Size returns the number of served series, and the number of chosen ones above the limit.
func (s *Server) Size() (count, left int) { return s.exposition.size() }

// Run serves the bound source until ctx ends, which is no error.
func (s *Server) Run(ctx context.Context) error {
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() {
		if !s.config.encrypted() {
			ended <- server.Serve(s.listener)
			return
		}
		config, err := s.config.tlsConfig()
		if err != nil {
			ended <- err
			return
		}
		server.TLSConfig = config
		if h := s.config.HTTP.HTTP2; h != nil && !*h {
			server.Protocols = new(http.Protocols)
			server.Protocols.SetHTTP1(true)
		}
		ended <- server.ServeTLS(s.listener, "", "")
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("the server has ended: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close() // a slow reader must not delay the end
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("the server has ended: %w", err)
	}
	return nil
}

// handler answers requests.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", s.metrics)
	mux.HandleFunc("/healthz", s.health)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		plain(w, http.StatusOK, "cxdeck "+s.options.Version+"\n/metrics  counters for Prometheus\n/healthz  whether the source is read")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range s.config.HTTP.Headers {
			w.Header().Set(name, value)
		}
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			plain(w, http.StatusMethodNotAllowed, "only GET and HEAD are answered")
		case !s.config.allows(r):
			w.Header().Set("WWW-Authenticate", `Basic realm="cxdeck"`)
			plain(w, http.StatusUnauthorized, "a user and a password are required")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	io.WriteString(w, text+"\n") //nolint:errcheck,gosec // the reader may have gone; it is plain text, which no browser sniffs
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	if err := s.exposition.fault(time.Now()); err != nil {
		plain(w, http.StatusServiceUnavailable, perf.CleanText(err.Error(), perf.PathLimit))
		return
	}
	plain(w, http.StatusOK, "ok")
}

func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	select {
	case s.scrapes <- struct{}{}:
		defer func() { <-s.scrapes }()
	default:
		plain(w, http.StatusServiceUnavailable, fmt.Sprintf("%d scrapes are running; try again", maxScrapes))
		return
	}
	query := r.URL.Query()
	texts := query[queryParameter]
	delete(query, queryParameter)
	for name := range query {
		plain(w, http.StatusBadRequest, fmt.Sprintf("unknown parameter %q; %s=PATTERN chooses counters", perf.CleanText(name, perf.NameLimit), queryParameter))
		return
	}
	if len(texts) > maxQueryPatterns {
		plain(w, http.StatusBadRequest, fmt.Sprintf("a scrape accepts at most %d patterns", maxQueryPatterns))
		return
	}
	patterns, err := ParsePatterns(texts)
	if err != nil {
		plain(w, http.StatusBadRequest, perf.CleanText(err.Error(), perf.PathLimit))
		return
	}
	text, _ := s.texts.Get().(*[]byte)
	if text == nil {
		text = new([]byte)
	}
	defer s.texts.Put(text)
	*text = s.exposition.append((*text)[:0], patterns)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.write(w, r, *text)
}

// write writes a text, compressed if the reader accepts it.
func (s *Server) write(w http.ResponseWriter, r *http.Request, text []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(text) //nolint:errcheck // the reader has gone
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	packer, _ := s.packers.Get().(*gzip.Writer)
	if packer == nil {
		packer, _ = gzip.NewWriterLevel(w, gzip.BestSpeed) // a valid level
	}
	packer.Reset(w)
	packer.Write(text) //nolint:errcheck // the reader has gone
	packer.Close()     //nolint:errcheck // the reader has gone
	s.packers.Put(packer)
}
