// Package settings reads the configuration file, and reports its mistakes with their positions. The command line merges the
// settings with its flags.
package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"cxdeck/driver/request"
	"cxdeck/perf/monitor"
	"cxdeck/perf/regular"
	"cxdeck/perf/threshold"
)

// limit is the maximum size of a configuration file in bytes.
const limit = 1 << 20

// Settings holds the settings of the configuration file. The zero value of a field means that the file does not set it.
type Settings struct {
	Theme        string      `toml:"theme"`
	Glyphs       string      `toml:"glyphs"`
	Units        string      `toml:"units"`
	Screen       string      `toml:"screen"`
	Interval     Interval    `toml:"interval"`
	Mouse        *bool       `toml:"mouse"`
	LowBandwidth bool        `toml:"low_bandwidth"`
	ReadOnly     bool        `toml:"read_only"`
	Lab          Lab         `toml:"lab"`
	History      History     `toml:"history"`
	Prometheus   Prometheus  `toml:"prometheus"`
	Thresholds   []Threshold `toml:"threshold"`
}

// Lab holds the settings of the embedded lab.
type Lab struct {
	File  string  `toml:"file"`
	Seed  *uint64 `toml:"seed"`
	Speed Speed   `toml:"speed"`
}

// History configures what is kept on disk, and for how long.
type History struct {
	File       string `toml:"file"`
	MaximumAge Age    `toml:"max_age"`
	MaximumUse Size   `toml:"max_size"`
	// Samples and Minutes are the times for which samples and minutes are kept.
	Samples Keep `toml:"keep_samples"`
	Minutes Keep `toml:"keep_minutes"`
}

// Prometheus says how to reach the server of --source prometheus:URL. Secrets are in files of their own.
type Prometheus struct {
	User         string `toml:"user"`
	PasswordFile string `toml:"password_file"`
	TokenFile    string `toml:"token_file"`
	Tenant       string `toml:"tenant"`
	// Authority is the file of the certificates that the server's is checked against; Certificate and Key are the client's.
	Authority   string `toml:"ca_file"`
	Certificate string `toml:"cert_file"`
	Key         string `toml:"key_file"`
}

// check returns the key with a mistake and why the settings are invalid, a sentence; empty if they are valid.
func (p *Prometheus) check() (key, why string) {
	switch {
	case p.TokenFile != "" && (p.User != "" || p.PasswordFile != ""):
		return "token_file", "prometheus has either token_file, or user and password_file"
	case p.PasswordFile != "" && p.User == "":
		return "password_file", "prometheus.password_file requires user"
	case p.User != "" && p.PasswordFile == "":
		return "user", "prometheus.user requires password_file"
	case (p.Certificate == "") != (p.Key == ""):
		if p.Key == "" {
			return "cert_file", "prometheus.cert_file requires key_file"
		}
		return "key_file", "prometheus.key_file requires cert_file"
	}
	return "", ""
}

// The default times for which samples and minutes are kept.
const (
	DefaultSamples = 7 * 24 * time.Hour
	DefaultMinutes = 90 * 24 * time.Hour
)

// KeepEverything returns the settings of a history that keeps everything.
func KeepEverything() History { return History{Samples: keepAlways, Minutes: keepAlways} }

// Keep returns how long samples and minutes are kept; 0 for forever. By default minutes are kept at least as long as samples.
func (h *History) Keep() (samples, minutes time.Duration) {
	samples, minutes = h.Samples.Or(DefaultSamples), h.Minutes.Or(DefaultMinutes)
	if h.Minutes == 0 && (samples == 0 || samples > minutes) {
		minutes = samples
	}
	return samples, minutes
}

// check returns why the settings are invalid, a sentence; empty if they are valid.
func (h *History) check() string {
	if samples, minutes := h.Keep(); minutes > 0 && (samples == 0 || minutes < samples) {
		return "keep_minutes must be at least as long as keep_samples: samples are aggregated in minutes"
	}
	return ""
}

// Threshold is an alarm on the counters that match a path.
type Threshold struct {
	Path  string   `toml:"path"`
	Above *Level   `toml:"above"`
	Below *Level   `toml:"below"`
	Clear *Level   `toml:"clear"`
	For   Duration `toml:"for"`
	Run   []string `toml:"run"`
}

// Load reads a configuration file. Its errors are one sentence with line and column; the error for a missing file wraps
// fs.ErrNotExist. screens are the valid values of the key screen.
func Load(path string, screens []string) (Settings, error) {
	data, err := regular.Read(path, limit)
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return Settings{}, fmt.Errorf("the configuration %s can't be read: %w; check the name after --config", path, pathError.Err)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("the configuration %s can't be read: %w", path, err)
	}
	settings, err := Parse(data, screens)
	if err != nil {
		return Settings{}, fmt.Errorf("%s:%w", path, err)
	}
	return settings, nil
}

// MistakeError is a mistake in a configuration file.
type MistakeError struct {
	// Line and Column count from 1.
	Line, Column int
	// Text is the sentence.
	Text string
}

func (e *MistakeError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Parse parses the text of a configuration file. It returns a *MistakeError for a mistake. screens are the valid values of
// the key screen.
func Parse(data []byte, screens []string) (Settings, error) {
	var settings Settings
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&settings)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		failure := unknown.Errors[0]
		line, column := failure.Position()
		return Settings{}, &MistakeError{line, column, unknownKey(failure.Key())}
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		text := strings.TrimPrefix(wrong.Error(), "toml: ")
		switch {
		case strings.HasPrefix(text, "cannot decode"), strings.HasPrefix(text, "negative integer"): // in the words of Go
			text = kindSentence(wrong.Key())
		case strings.HasSuffix(text, "at start of value"):
			text += "; quote texts"
		}
		return Settings{}, &MistakeError{line, column, text}
	case err != nil:
		return Settings{}, &MistakeError{1, 1, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	if key := unquoted(data); key != nil {
		line, column := bareValuePlace(data, key[len(key)-1])
		return Settings{}, &MistakeError{line, column, kindSentence(key)}
	}
	if speed := settings.Lab.Speed; speed != 0 && (speed < monitor.MinSpeed || speed > monitor.MaxSpeed) {
		// go-toml does not check the range of a number.
		line, column := valuePlace(data, "speed")
		return Settings{}, &MistakeError{line, column, fmt.Sprintf("a speed must be a number from 0.1 to 1000, not %v", float64(speed))}
	}
	for _, setting := range settings.enumSettings(screens) {
		if why := setting.check(); why != "" {
			line, column := valuePlace(data, setting.key)
			return Settings{}, &MistakeError{line, column, why}
		}
	}
	if why := settings.History.check(); why != "" {
		line, column := valuePlace(data, "keep_minutes")
		return Settings{}, &MistakeError{line, column, why}
	}
	if key, why := settings.Prometheus.check(); why != "" {
		line, column := valuePlace(data, key)
		return Settings{}, &MistakeError{line, column, why}
	}
	for i, threshold := range settings.Thresholds {
		if why := threshold.check(); why != "" {
			return Settings{}, &MistakeError{thresholdLine(data, i), 1, why}
		}
	}
	return settings, nil
}

// valuePlace returns the position of the value in the first line "key = value".
func valuePlace(data []byte, key string) (line, column int) {
	for i, text := range bytes.Split(data, []byte("\n")) {
		name, value, ok := bytes.Cut(text, []byte("="))
		if ok && string(bytes.TrimSpace(name)) == key {
			return i + 1, len(name) + 2 + len(value) - len(bytes.TrimLeft(value, " \t"))
		}
	}
	return 1, 1
}

// thresholdLine returns the line of the n-th [[threshold]] heading, counted from 0.
func thresholdLine(data []byte, n int) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[[")) {
			if n == 0 {
				return i + 1
			}
			n--
		}
	}
	return 1
}

func (t Threshold) check() string {
	switch {
	case t.Path == "":
		return `a threshold requires a path, such as path = '\Network Interface(*)\Packets Received Discarded'`
	case (t.Above == nil) == (t.Below == nil):
		return "a threshold requires either above or below"
	}
	level := cmp.Or(t.Above, t.Below)
	if t.Clear != nil && t.Clear.Percent != level.Percent {
		return "clear and the level must both be in percent of the line rate, or neither"
	}
	if err := t.Perf().Check(); err != nil {
		return err.Error()
	}
	return ""
}

// Perf returns the threshold as a rule for the monitor.
func (t Threshold) Perf() threshold.Rule {
	level := cmp.Or(t.Above, t.Below)
	threshold := threshold.Rule{
		Path: t.Path, Below: t.Above == nil, Level: level.Value, Percent: level.Percent,
		Clear: notGiven, For: time.Duration(t.For), Run: t.Run,
	}
	if t.Clear != nil {
		threshold.Clear = t.Clear.Value
	}
	return threshold
}

// unknownKey returns the error text for an unknown key.
func unknownKey(key toml.Key) string {
	typ := typeOf(key[:len(key)-1])
	last := key[len(key)-1]
	sentence := fmt.Sprintf("there is no key %q", strings.Join(key, "."))
	if typ.Kind() != reflect.Struct {
		return sentence
	}
	var known []string
	for i := range typ.NumField() {
		known = append(known, typ.Field(i).Tag.Get("toml"))
	}
	if near := request.Nearest(last, known); near != "" {
		return sentence + fmt.Sprintf("; did you mean %q?", near)
	}
	return sentence + "; the keys here are " + strings.Join(known, ", ")
}
