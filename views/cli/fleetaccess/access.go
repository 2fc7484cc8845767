// Package fleetaccess says how to reach the server of a fleet, by the configuration file and the environment. It reads the files of
// secrets and certificates; it asks no server.
package fleetaccess

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/prometheus/fleet"
	"cxdeck/perf/regular"
	"cxdeck/views/settings"
)

// maxSecret is the maximum size of a file with a password, a token or certificates, in bytes.
const maxSecret = 1 << 20

// Read says how to reach the Prometheus at an address. environment returns variables of the environment. Secrets come from the environment or from files that the configuration names, because
// others see a command line; they are read again for each request, and are in no message.
func Read(address string, file settings.Prometheus, environment func(name string) (value string, given bool)) (fleet.Access, error) {
	access := fleet.Access{URL: address, User: file.User, Headers: map[string]string{}}
	if file.PasswordFile != "" {
		access.ReadPassword = func() (string, error) { return readSecret("prometheus.password_file", file.PasswordFile) }
	}
	if file.TokenFile != "" {
		access.ReadToken = func() (string, error) { return readSecret("prometheus.token_file", file.TokenFile) }
	}
	tenant := file.Tenant
	given := map[string]string{}
	for _, name := range []string{"USER", "PASSWORD", "TOKEN", "TENANT"} {
		if value, set := environment("CXDECK_PROMETHEUS_" + name); set {
			given[name] = value
		}
	}
	if given["USER"] != "" || given["TOKEN"] != "" { // in place of the file's
		access.User, access.Password, access.Token = given["USER"], given["PASSWORD"], given["TOKEN"]
		access.ReadPassword, access.ReadToken = nil, nil
	}
	if value, set := given["TENANT"]; set {
		tenant = value
	}
	if tenant != "" {
		access.Headers["X-Scope-OrgID"] = tenant
	}
	var err error
	access.TLS, err = clientTLS(file.Authority, file.Certificate, file.Key)
	for _, read := range []func() (string, error){access.ReadPassword, access.ReadToken} { // a missing file is reported at the start
		if read != nil && err == nil {
			_, err = read()
		}
	}
	return access, err
}

// readSecret reads a password or a token from the first line of a file.
func readSecret(key, path string) (string, error) {
	text, err := regular.Read(path, maxSecret)
	if err != nil {
		return "", fmt.Errorf("%s: %s can't be read: %w", key, perf.CleanText(path, perf.PathLimit), regular.Reason(err))
	}
	secret, _, _ := strings.Cut(string(text), "\n")
	secret = strings.TrimRight(secret, "\r")
	if secret == "" {
		return "", fmt.Errorf("%s: %s is empty", key, perf.CleanText(path, perf.PathLimit))
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fmt.Errorf("%s: the first line of %s has control characters", key, perf.CleanText(path, perf.PathLimit))
	}
	return secret, nil
}

// clientTLS returns the configuration for authorities and a client certificate in files; nil for none. The certificate is read again at each
// connection.
func clientTLS(authority, certificate, key string) (*tls.Config, error) {
	if authority == "" && certificate == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		text, err := regular.Read(authority, maxSecret)
		if err != nil {
			return nil, fmt.Errorf("prometheus.ca_file: %s can't be read: %w", perf.CleanText(authority, perf.PathLimit), regular.Reason(err))
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("prometheus.ca_file: %s has no certificate in PEM form", perf.CleanText(authority, perf.PathLimit))
		}
	}
	if certificate == "" {
		return config, nil
	}
	load := func() (*tls.Certificate, error) {
		first, err := regular.Read(certificate, maxSecret)
		if err != nil {
			return nil, fmt.Errorf("prometheus.cert_file: %s can't be read: %w", perf.CleanText(certificate, perf.PathLimit), regular.Reason(err))
		}
		second, err := regular.Read(key, maxSecret)
		if err != nil {
			return nil, fmt.Errorf("prometheus.key_file: %s can't be read: %w", perf.CleanText(key, perf.PathLimit), regular.Reason(err))
		}
		pair, err := tls.X509KeyPair(first, second)
		if err != nil {
			return nil, fmt.Errorf("prometheus.cert_file and key_file don't fit together: %w", err)
		}
		return &pair, nil
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return load() }
	_, err := load()
	return config, err
}
