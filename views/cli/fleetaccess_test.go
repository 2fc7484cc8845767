package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fleetServer is a Prometheus with one host, over TLS, that requires a client certificate and a password or token.
func fleetServer(t *testing.T, allowed func(r *http.Request) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowed(r) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = r.ParseForm()
		sample := `{"metric":{"__name__":"cxdeck_port_received_bytes_total","job":"x","instance":"web-1:9756","device":"ens1"},"value":[1,"5"]}`
		if strings.Contains(r.Form.Get("query"), "up") && !strings.Contains(r.Form.Get("query"), "{") {
			sample = `{"metric":{"__name__":"up","job":"x","instance":"web-1:9756"},"value":[1,"1"]}`
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, sample) // the reader fails
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// writeCertificates writes the server's certificate as ca.pem, and a client's as client.pem and client.key.
func writeCertificates(t *testing.T, directory string, server *httptest.Server) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	client, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"ca.pem": {Type: "CERTIFICATE", Bytes: server.Certificate().Raw}, "client.pem": {Type: "CERTIFICATE", Bytes: client}, "client.key": {Type: "EC PRIVATE KEY", Bytes: private},
	} {
		writeFile(t, filepath.Join(directory, name), string(pem.EncodeToMemory(block)))
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAccessOfAFleet reads authorities, a client certificate, and a password or token from the files that the configuration names.
func TestAccessOfAFleet(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	server := fleetServer(t, func(r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		return user == "viewer" && password == "s3cret" || r.Header.Get("Authorization") == "Bearer t0ken" && r.Header.Get("X-Scope-OrgID") == "team"
	})
	writeCertificates(t, directory, server)
	at := func(name string) string { return filepath.Join(directory, name) }
	writeFile(t, at("password"), "s3cret\n")
	writeFile(t, at("token"), "t0ken\r\n")
	writeFile(t, at("wrong"), "wr0ng\n")
	writeFile(t, at("empty"), "\n")
	certificates := fmt.Sprintf("ca_file = %q\ncert_file = %q\nkey_file = %q\n", at("ca.pem"), at("client.pem"), at("client.key"))
	for name, c := range map[string]struct {
		settings, want string
		code           int
	}{
		"password":        {certificates + fmt.Sprintf("user = \"viewer\"\npassword_file = %q\n", at("password")), "web-1: ens1", exitDone},
		"token":           {certificates + fmt.Sprintf("tenant = \"team\"\ntoken_file = %q\n", at("token")), "web-1: ens1", exitDone},
		"wrong":           {certificates + fmt.Sprintf("user = \"viewer\"\npassword_file = %q\n", at("wrong")), "refuses the user", exitFailed},
		"empty":           {certificates + fmt.Sprintf("user = \"viewer\"\npassword_file = %q\n", at("empty")), "prometheus.password_file: " + at("empty") + " is empty", exitFailed},
		"missing":         {certificates + fmt.Sprintf("token_file = %q\n", at("none")), "prometheus.token_file: " + at("none") + " can't be read", exitFailed},
		"authority":       {fmt.Sprintf("ca_file = %q\n", at("password")), "no certificate in PEM form", exitFailed},
		"no authority":    {"", "certificate", exitFailed},
		"no certificate":  {fmt.Sprintf("ca_file = %q\n", at("ca.pem")), "certificate", exitFailed},
		"key":             {fmt.Sprintf("cert_file = %q\nkey_file = %q\n", at("client.pem"), at("password")), "don't fit together", exitFailed},
		"user alone":      {"user = \"viewer\"\n", "prometheus.user requires password_file", exitMistake},
		"two secrets":     {"user = \"a\"\npassword_file = \"b\"\ntoken_file = \"c\"\n", "either token_file, or user and password_file", exitMistake},
		"key without use": {"key_file = \"c\"\n", "prometheus.key_file requires cert_file", exitMistake},
		"unknown":         {"password = \"c\"\n", `there is no key "prometheus.password"; did you mean "password_file"?`, exitMistake},
	} {
		config := at(name + ".toml")
		writeFile(t, config, "[prometheus]\n"+c.settings)
		r := runLine(t, "counters", "--config", config, "--source", "prometheus:"+server.URL, "-n", "1", "--interval", "100ms")
		if r.code != c.code || !strings.Contains(r.out+r.err, c.want) {
			t.Errorf("%s: code %d, %q, %q, want %q", name, r.code, r.out, r.err, c.want)
		}
		if strings.Contains(r.out+r.err, "s3cret") || strings.Contains(r.out+r.err, "t0ken") || strings.Contains(r.out+r.err, "wr0ng") || strings.Count(r.err, "\n") > 1 {
			t.Errorf("%s: the message is %q", name, r.err)
		}
	}
}
