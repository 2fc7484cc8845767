package serve

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v2"
	"golang.org/x/crypto/bcrypt"

	"cxdeck/perf"
	"cxdeck/perf/regular"
)

// webConfig is the web configuration file of Prometheus's exporter toolkit (github.com/prometheus/exporter-toolkit,
// docs/web-configuration.md). Its libraries would double the time that the program takes before main.
type webConfig struct {
	TLS  tlsSettings  `yaml:"tls_server_config"`
	HTTP httpSettings `yaml:"http_server_config"`
	// Users has the bcrypt hashes of passwords by the user's name.
	Users map[string]string `yaml:"basic_auth_users"`

	directory string
	checker   passwords
}

type tlsSettings struct {
	CertFile     string   `yaml:"cert_file"`
	KeyFile      string   `yaml:"key_file"`
	Cert         string   `yaml:"cert"`
	Key          string   `yaml:"key"`
	ClientAuth   string   `yaml:"client_auth_type"`
	ClientCAFile string   `yaml:"client_ca_file"`
	ClientCA     string   `yaml:"client_ca"`
	AllowedNames []string `yaml:"client_allowed_sans"`
	MinVersion   string   `yaml:"min_version"`
	MaxVersion   string   `yaml:"max_version"`
	Ciphers      []string `yaml:"cipher_suites"`
	Curves       []string `yaml:"curve_preferences"`
	// PreferServer has no effect in the toolkit either.
	PreferServer bool `yaml:"prefer_server_cipher_suites"`
}

type httpSettings struct {
	HTTP2   *bool             `yaml:"http2"`
	Headers map[string]string `yaml:"headers"`
}

const maxWebConfigBytes = 1 << 20

// readWebConfig reads and checks a web configuration file; the empty path is a configuration without TLS and users.
func readWebConfig(path string) (*webConfig, error) {
	c := &webConfig{directory: filepath.Dir(path)}
	if path == "" {
		return c, nil
	}
	text, err := regular.Read(path, maxWebConfigBytes)
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(text, c); err != nil {
		return nil, errors.New(yamlReason(err))
	}
	for user, hash := range c.Users {
		if _, err := bcrypt.Cost([]byte(hash)); err != nil {
			return nil, fmt.Errorf("basic_auth_users: the password of %q must be a bcrypt hash, such as htpasswd -nB prints", user)
		}
	}
	for name, value := range c.HTTP.Headers {
		if err := checkHeader(name, value); err != nil {
			return nil, err
		}
	}
	if c.encrypted() {
		_, err = c.tlsConfig()
	}
	return c, err
}

// yamlReason returns the first line of an error of the YAML library without quoting secrets from the file.
func yamlReason(err error) string {
	var wrong *yaml.TypeError
	text := err.Error()
	if errors.As(err, &wrong) && len(wrong.Errors) > 0 {
		text = wrong.Errors[0]
	}
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "yaml: "), "\n")
	if before, _, quoted := strings.Cut(text, "`"); quoted {
		text = before + "a value of another type"
	}
	text, inType, _ := strings.Cut(text, " in type serve.")
	if inType == "" {
		return perf.CleanText(text, perf.PathLimit)
	}
	return perf.CleanText(text, perf.PathLimit) + " in a web configuration"
}

// checkHeader checks an additional header: the toolkit allows these five.
func checkHeader(name, value string) error {
	allowed, known := map[string][]string{
		"Strict-Transport-Security": nil, "X-XSS-Protection": nil, "Content-Security-Policy": nil,
		"X-Content-Type-Options": {"nosniff"}, "X-Frame-Options": {"deny", "sameorigin"},
	}[name]
	switch {
	case !known:
		return fmt.Errorf("http_server_config: the header %q can't be set", name)
	case allowed != nil && !slices.Contains(allowed, value):
		return fmt.Errorf("http_server_config: %s must be %s, not %q", name, strings.Join(allowed, " or "), value)
	case strings.ContainsAny(value, "\r\n"):
		return fmt.Errorf("http_server_config: %s has more than one line", name)
	}
	return nil
}

// encrypted reports whether the server uses TLS.
func (c *webConfig) encrypted() bool {
	t := &c.TLS
	return t.CertFile+t.KeyFile+t.Cert+t.Key+t.ClientAuth+t.ClientCAFile+t.ClientCA != ""
}

// protected reports whether readers must identify themselves.
func (c *webConfig) protected() bool {
	return len(c.Users) > 0 || c.TLS.ClientAuth != "" && c.TLS.ClientAuth != "NoClientCert"
}

// text returns the given text, or the contents of a file beside the configuration.
func (c *webConfig) text(name, inline, file string) ([]byte, error) {
	switch {
	case inline != "" && file != "":
		return nil, fmt.Errorf("tls_server_config: %s and %s_file are both given", name, name)
	case inline != "":
		return []byte(inline), nil
	case file == "":
		return nil, fmt.Errorf("tls_server_config: %s_file is required", name)
	case !filepath.IsAbs(file):
		file = filepath.Join(c.directory, file)
	}
	text, err := regular.Read(file, maxWebConfigBytes)
	if err != nil {
		return nil, fmt.Errorf("tls_server_config: %s_file %s can't be read: %s", name, file, regular.Reason(err)) //nolint:errorlint // the file is named once
	}
	return text, nil
}

// certificate reads the server's certificate and key.
func (c *webConfig) certificate() (*tls.Certificate, error) {
	cert, err := c.text("cert", c.TLS.Cert, c.TLS.CertFile)
	if err != nil {
		return nil, err
	}
	key, err := c.text("key", c.TLS.Key, c.TLS.KeyFile)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("tls_server_config: the certificate can't be used: %s", strings.TrimPrefix(err.Error(), "tls: "))
	}
	return &pair, nil
}

// tlsConfig returns the settings of TLS. Certificates are read again at each connection, so that they can be renewed.
func (c *webConfig) tlsConfig() (*tls.Config, error) {
	t := &c.TLS
	if _, err := c.certificate(); err != nil {
		return nil, err
	}
	config := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.certificate() },
	}
	var err error
	if config.MinVersion, err = tlsVersion("min_version", t.MinVersion, tls.VersionTLS12); err != nil {
		return nil, err
	}
	if config.MaxVersion, err = tlsVersion("max_version", t.MaxVersion, 0); err != nil {
		return nil, err
	}
	for _, name := range t.Ciphers {
		at := slices.IndexFunc(tls.CipherSuites(), func(s *tls.CipherSuite) bool { return s.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("tls_server_config: unknown cipher suite %q", name)
		}
		config.CipherSuites = append(config.CipherSuites, tls.CipherSuites()[at].ID)
	}
	for _, name := range t.Curves {
		curve, known := map[string]tls.CurveID{"CurveP256": tls.CurveP256, "CurveP384": tls.CurveP384, "CurveP521": tls.CurveP521,
			"X25519": tls.X25519, "X25519MLKEM768": tls.X25519MLKEM768}[name]
		if !known {
			return nil, fmt.Errorf("tls_server_config: unknown curve %q", name)
		}
		config.CurvePreferences = append(config.CurvePreferences, curve)
	}
	config.NextProtos = []string{"http/1.1"}
	if c.HTTP.HTTP2 == nil || *c.HTTP.HTTP2 {
		config.NextProtos = []string{"h2", "http/1.1"}
	}
	return config, c.addClients(config)
}

func tlsVersion(name, text string, byDefault uint16) (uint16, error) {
	if text == "" {
		return byDefault, nil
	}
	version, known := map[string]uint16{"TLS10": tls.VersionTLS10, "TLS11": tls.VersionTLS11, "TLS12": tls.VersionTLS12, "TLS13": tls.VersionTLS13}[text]
	if !known {
		return 0, fmt.Errorf("tls_server_config: %s must be TLS10, TLS11, TLS12 or TLS13, not %q", name, text)
	}
	return version, nil
}

// addClients adds the settings about certificates of clients.
func (c *webConfig) addClients(config *tls.Config) error {
	t := &c.TLS
	switch t.ClientAuth {
	case "", "NoClientCert":
		config.ClientAuth = tls.NoClientCert
	case "RequestClientCert":
		config.ClientAuth = tls.RequestClientCert
	case "RequireAnyClientCert", "RequireClientCert":
		config.ClientAuth = tls.RequireAnyClientCert
	case "VerifyClientCertIfGiven":
		config.ClientAuth = tls.VerifyClientCertIfGiven
	case "RequireAndVerifyClientCert":
		config.ClientAuth = tls.RequireAndVerifyClientCert
	default:
		return fmt.Errorf("tls_server_config: unknown client_auth_type %q", t.ClientAuth)
	}
	if t.ClientCA+t.ClientCAFile == "" {
		if config.ClientAuth >= tls.VerifyClientCertIfGiven || len(t.AllowedNames) > 0 {
			return errors.New("tls_server_config: client_ca_file is required to verify clients")
		}
		return nil
	}
	if config.ClientAuth == tls.NoClientCert {
		return errors.New("tls_server_config: client_ca_file requires a client_auth_type")
	}
	text, err := c.text("client_ca", t.ClientCA, t.ClientCAFile)
	if err != nil {
		return err
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return errors.New("tls_server_config: client_ca_file has no certificate")
	}
	if len(t.AllowedNames) > 0 {
		config.VerifyConnection = func(state tls.ConnectionState) error { return checkClientName(state, t.AllowedNames) }
	}
	return nil
}

// checkClientName checks that a client's certificate has one of the names.
func checkClientName(state tls.ConnectionState, allowed []string) error {
	if len(state.PeerCertificates) == 0 {
		return errors.New("the client has no certificate")
	}
	cert := state.PeerCertificates[0]
	names := slices.Concat(cert.DNSNames, cert.EmailAddresses)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	for _, uri := range cert.URIs {
		names = append(names, uri.String())
	}
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(allowed, name) }) {
		return nil
	}
	return errors.New("the client's certificate has no allowed name")
}

// passwords checks passwords, which takes a tenth of a second of processor time each. It remembers the results of the last ones.
type passwords struct {
	mutex sync.Mutex
	known map[[sha256.Size]byte]bool
}

// maxPasswords is the number of remembered results.
const maxPasswords = 100

// nobody is compared for unknown users, so that the time of an answer does not tell which users exist.
const nobody = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"

// allows reports whether a request has the name and the password of a user.
func (c *webConfig) allows(r *http.Request) bool {
	if len(c.Users) == 0 {
		return true
	}
	user, password, given := r.BasicAuth()
	if !given {
		return false
	}
	hash, known := c.Users[user]
	if !known {
		hash = nobody
	}
	key := sha256.Sum256([]byte(user + "\x00" + hash + "\x00" + password))
	p := &c.checker
	p.mutex.Lock()
	defer p.mutex.Unlock()
	right, remembered := p.known[key]
	if !remembered {
		right = bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
		if p.known == nil || len(p.known) >= maxPasswords {
			p.known = map[[sha256.Size]byte]bool{}
		}
		p.known[key] = right
	}
	return right && known
}
