package fleet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cxdeck/perf"
)

// The limits of an answer.
const (
	timeout    = 10 * time.Second
	maxAnswer  = 128 << 20
	maxSamples = 500_000
	maxRefusal = 64 << 10
	// maxSkew is the difference of two clocks from which on the server is asked by its own; the header has whole seconds.
	maxSkew = 5 * time.Second
)

// Access says how to reach the server.
type Access struct {
	// URL is the base address, such as http://prometheus:9090 or https://mimir/prometheus.
	URL string
	// User and Password, or Token, are sent with each request; empty for none.
	User, Password, Token string
	// ReadPassword and ReadToken read them for each request, because they change while the console runs; nil for the ones above.
	ReadPassword, ReadToken func() (string, error)
	// TLS has the authorities and the client's certificate; nil for the ones of the system and none.
	TLS *tls.Config
	// Headers are sent with each request, such as X-Scope-OrgID.
	Headers map[string]string
	// Now is the clock; nil for the system's.
	Now func() time.Time
}

// AddressError reports an invalid address of the server.
type AddressError struct{ text string }

// Error returns the sentence.
func (e *AddressError) Error() string { return e.text }

// client asks the server.
type client struct {
	access Access
	http   *http.Client
	// buffer has the text of the newest answer, whose room the next one uses again; mutex guards it.
	mutex  sync.Mutex
	buffer []byte
	limit  int // of an answer, in bytes
	// ahead is how far the clock of the server is ahead of this machine's; warning is the warning of the newest answer, empty for none.
	ahead   time.Duration
	warning string
	now     func() time.Time
}

// newClient checks the address.
func newClient(access Access) (*client, error) {
	address, err := url.Parse(access.URL)
	switch {
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return nil, &AddressError{"the address of Prometheus must begin with http:// or https://, as in prometheus:http://localhost:9090"}
	case address.User != nil:
		return nil, &AddressError{"the address must not have a password: set CXDECK_PROMETHEUS_USER and CXDECK_PROMETHEUS_PASSWORD"}
	case address.RawQuery != "" || address.Fragment != "":
		return nil, &AddressError{"the address of Prometheus must have no parameters"}
	}
	access.URL = strings.TrimRight(access.URL, "/")
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = access.TLS
	return &client{access: access, limit: maxAnswer, now: time.Now, http: &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("it redirects to another address: give that address")
		},
	}}, nil
}

// query runs an instant query; visit is called for each sample. The labels are valid during the call.
func (c *client) query(ctx context.Context, query string, at time.Time, visit func(labels []label, value float64)) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	text, err := c.ask(ctx, "query", url.Values{"query": {query}, "time": {apiTime(at)}})
	if err != nil {
		return err
	}
	c.warning, err = scan(text, "vector", func(labels []label, points []point) {
		if len(points) > 0 {
			visit(labels, points[0].value)
		}
	})
	return err
}

// maxPoints is the largest number of points of a series that is asked for at once; Prometheus refuses more than 11,000.
const maxPoints = 10_000

// queryRange runs a query for each step from a time to another, both included; visit is called once for each series. The labels
// and points are valid during the call. A step that would give more than maxPoints is an error of the caller.
func (c *client) queryRange(ctx context.Context, query string, from, to time.Time, step time.Duration, visit func(labels []label, points []point)) error {
	if step <= 0 || to.Sub(from)/step > maxPoints {
		return fmt.Errorf("a range of %s in steps of %s has more than %d points", to.Sub(from), step, maxPoints)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	text, err := c.ask(ctx, "query_range", url.Values{"query": {query}, "start": {apiTime(from)}, "end": {apiTime(to)},
		"step": {strconv.FormatFloat(step.Seconds(), 'f', 3, 64)}})
	if err != nil {
		return err
	}
	c.warning, err = scan(text, "matrix", visit)
	return err
}

// seconds converts a time to seconds since 1970, as the API has it.
func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1e3 }

// apiTime formats a time for the API.
func apiTime(at time.Time) string { return strconv.FormatFloat(seconds(at), 'f', 3, 64) }

// ask sends a request to the API, and returns the text of its answer, which is valid until the next one. The caller holds the mutex.
func (c *client) ask(ctx context.Context, path string, form url.Values) ([]byte, error) {
	form.Set("timeout", timeout.String())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.access.URL+"/api/v1/"+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if err := c.access.authorize(request); err != nil {
		return nil, err
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, reason(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	switch answer.StatusCode {
	case http.StatusOK:
	default:
		return nil, c.refusal(answer)
	}
	if err := c.readAll(answer.Body); err != nil {
		return nil, reason(err)
	}
	if len(c.buffer) > c.limit {
		return nil, fmt.Errorf("the answer is larger than %d MB: choose fewer hosts", c.limit>>20)
	}
	if at, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		if c.ahead = at.Sub(c.now()); c.ahead.Abs() < maxSkew {
			c.ahead = 0
		}
	}
	return c.buffer, nil
}

// authorize adds the user or the token to a request.
func (a *Access) authorize(request *http.Request) (err error) {
	for name, value := range a.Headers {
		request.Header.Set(name, value)
	}
	password, token := a.Password, a.Token
	if a.ReadPassword != nil {
		if password, err = a.ReadPassword(); err != nil {
			return err
		}
	}
	if a.ReadToken != nil {
		if token, err = a.ReadToken(); err != nil {
			return err
		}
	}
	switch {
	case token != "":
		request.Header.Set("Authorization", "Bearer "+token)
	case a.User != "":
		request.SetBasicAuth(a.User, password)
	}
	return nil
}

// refusal returns why an answer with another status than 200 can't be used: the error of the API, if it has one.
func (c *client) refusal(answer *http.Response) error {
	said := ""
	if err := c.readAll(io.LimitReader(answer.Body, maxRefusal)); err == nil {
		if answer.StatusCode == http.StatusUnauthorized && strings.HasPrefix(string(c.buffer), "no org id") {
			return errors.New("it requires a tenant: set tenant in [prometheus] of the configuration file, or CXDECK_PROMETHEUS_TENANT")
		}
		var refused *refusedError
		if errors.As(scanVector(c.buffer, func([]label, float64) {}), &refused) {
			said = ": " + refused.text
		}
	}
	switch status := answer.StatusCode; status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return errors.New("it refuses the user: set [prometheus] in the configuration file, or CXDECK_PROMETHEUS_USER and CXDECK_PROMETHEUS_PASSWORD, or CXDECK_PROMETHEUS_TOKEN")
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return errors.New("there is no Prometheus API at this address: Mimir has it below /prometheus, the cluster of VictoriaMetrics below /select/0/prometheus")
	case http.StatusTooManyRequests:
		return errors.New("it has too many requests (status 429)" + waitOf(answer) + ": choose a longer --interval")
	case http.StatusRequestEntityTooLarge:
		return errors.New("the query is too long for it (status 413)")
	default:
		if status >= 500 {
			return fmt.Errorf("it has a fault (status %d)%s", status, said)
		}
		return fmt.Errorf("it refuses the query (status %d)%s", status, said)
	}
}

// waitOf returns how long a server asks to wait; empty if it doesn't say it.
func waitOf(answer *http.Response) string {
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 && seconds < 1e6 {
		return fmt.Sprintf(", and asks to wait %d s", seconds)
	}
	return ""
}

// readAll reads an answer to the buffer, up to a byte more than the limit. The room of the answer before is used again: tens of
// megabytes of garbage for each look at a large fleet would double the memory.
func (c *client) readAll(body io.Reader) error {
	c.buffer = c.buffer[:0]
	for body := io.LimitReader(body, int64(c.limit)+1); ; {
		if len(c.buffer) == cap(c.buffer) {
			c.buffer = slices.Grow(c.buffer, max(64<<10, len(c.buffer)/4))
		}
		n, err := body.Read(c.buffer[len(c.buffer):cap(c.buffer)])
		c.buffer = c.buffer[:len(c.buffer)+n]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// reason returns a network error without the address and the query.
func reason(err error) error {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("it does not answer within %d s", int(timeout.Seconds()))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("it has ended the connection before the end of its answer")
	}
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	return errors.New(perf.CleanText(err.Error(), perf.PathLimit))
}
