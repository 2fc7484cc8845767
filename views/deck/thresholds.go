package deck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/perf/threshold"
	"cxdeck/ui"
)

// ThresholdsSetting is the name of the setting that stores the operator's thresholds in the history file.
const ThresholdsSetting = "thresholds"

// KeptThreshold is the saved form of a threshold. It has no program: a history file must not start programs.
type KeptThreshold struct {
	Path    string  `json:"path"`
	Below   bool    `json:"below,omitempty"`
	Level   float64 `json:"level"`
	Percent bool    `json:"percent,omitempty"`
	// Clear is the level at which the alarm ends; nil for 10% off the level.
	Clear *float64 `json:"clear,omitempty"`
	For   string   `json:"for,omitempty"`
}

// KeptThresholds holds the operator's thresholds, and the paths whose threshold was removed.
type KeptThresholds struct {
	Version int             `json:"version"`
	Set     []KeptThreshold `json:"set"`
	Removed []string        `json:"removed,omitempty"`
}

// The bounds of saved thresholds.
const (
	keptVersion   = 1
	maxKept       = 500
	maxKeptBytes  = 1 << 20
	maxKeptPath   = 2048
	maxKeptLength = 24 * time.Hour
)

// KeepThreshold returns the saved form of a threshold.
func KeepThreshold(t threshold.Rule) KeptThreshold {
	k := KeptThreshold{Path: t.Path, Below: t.Below, Level: t.Level, Percent: t.Percent}
	if !math.IsNaN(t.Clear) {
		k.Clear = &t.Clear
	}
	if t.For > 0 {
		k.For = t.For.String()
	}
	return k
}

// Threshold returns the rule of a saved threshold. It comes from a file, so every value is checked.
func (k KeptThreshold) Threshold() (threshold.Rule, error) {
	t := threshold.Rule{Path: k.Path, Below: k.Below, Level: k.Level, Percent: k.Percent, Clear: math.NaN()}
	if len(k.Path) > maxKeptPath {
		return t, errors.New("the path of a saved threshold is too long")
	}
	if k.Clear != nil {
		t.Clear = *k.Clear
	}
	if k.For != "" {
		d, err := time.ParseDuration(k.For)
		if err != nil || d < 0 || d > maxKeptLength {
			return t, fmt.Errorf("the threshold on %.80q has the invalid duration %.20q", k.Path, k.For)
		}
		t.For = d
	}
	return t, t.Check()
}

// ParseKeptThresholds parses the text of KeptThresholds.Text. It leaves out invalid thresholds.
func ParseKeptThresholds(text string) (KeptThresholds, error) {
	var k KeptThresholds
	if len(text) > maxKeptBytes {
		return k, fmt.Errorf("the saved thresholds are %d bytes long; the limit is %d", len(text), maxKeptBytes)
	}
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return KeptThresholds{}, fmt.Errorf("the saved thresholds can't be read: %w", err)
	}
	if k.Version > keptVersion {
		return KeptThresholds{}, errors.New("the thresholds were saved by a newer cxdeck")
	}
	k.Set = slices.DeleteFunc(k.Set[:min(len(k.Set), maxKept)], func(kept KeptThreshold) bool {
		_, err := kept.Threshold()
		return err != nil
	})
	k.Removed = k.Removed[:min(len(k.Removed), maxKept)]
	return k, nil
}

// Text returns the thresholds as JSON.
func (k KeptThresholds) Text() (string, error) {
	k.Version = keptVersion
	data, err := json.Marshal(k)
	return string(data), err
}

// Put records that the threshold of a path was set, or removed if t is nil.
func (k *KeptThresholds) Put(path string, t *threshold.Rule) {
	k.Set = slices.DeleteFunc(k.Set, func(kept KeptThreshold) bool { return strings.EqualFold(kept.Path, path) })
	k.Removed = slices.DeleteFunc(k.Removed, func(removed string) bool { return strings.EqualFold(removed, path) })
	switch {
	case t != nil && len(k.Set) < maxKept:
		k.Set = append(k.Set, KeepThreshold(*t))
	case t == nil && len(k.Removed) < maxKept:
		k.Removed = append(k.Removed, path)
	}
}

// KeepThresholds saves the operator's thresholds outside the terminal loop; nil if nothing can be saved.
func (d *Deck) KeepThresholds() ui.Cmd {
	text, err := d.Thresholds.Text()
	if d.DB == nil || d.Unwritable != "" || d.ReadOnly || err != nil {
		return nil
	}
	db := d.DB
	return ui.Background("save the thresholds", func(ctx context.Context) ui.Msg {
		if err := db.SaveSetting(ctx, ThresholdsSetting, text); err != nil {
			return ui.Toast(ui.Failure, "The thresholds are not saved: "+err.Error())()
		}
		return nil
	})
}

// LoadThresholds reads the thresholds of earlier runs. After an error the console starts without them.
func (d *Deck) LoadThresholds(ctx context.Context) error {
	if d.DB == nil {
		return nil
	}
	text, ok, err := d.DB.Setting(ctx, ThresholdsSetting)
	if err != nil || !ok {
		return err
	}
	d.Thresholds, err = ParseKeptThresholds(text)
	return err
}

// ApplyTo returns the base rules, in which the operator's thresholds replace the rules of the same paths.
func (k *KeptThresholds) ApplyTo(base []threshold.Rule) []threshold.Rule {
	list := slices.DeleteFunc(slices.Clone(base), func(t threshold.Rule) bool {
		same := func(path string) bool { return strings.EqualFold(path, t.Path) }
		return slices.ContainsFunc(k.Removed, same) || slices.ContainsFunc(k.Set, func(kept KeptThreshold) bool { return same(kept.Path) })
	})
	for _, kept := range k.Set {
		if t, err := kept.Threshold(); err == nil {
			list = append(list, t)
		}
	}
	return list
}
