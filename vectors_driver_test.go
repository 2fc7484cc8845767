package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/tuning"
)

// driverVectors are the topics of model rules ROCE-1 to ROCE-5 and TUNE-1 to TUNE-9.
var driverVectors = map[string]vectorRunner{
	"roce-mode": vectorOps(map[string]vectorRunner{
		"powershell_to_registry": vector(roceParameterInput{}, runRoceParameter),
		"effective":              vector(roceCardInput{}, runRoceCard),
		"key_precedence":         vector(roceKeysInput{}, runRoceKeys),
		"default_mode":           vector(roceInstallationInput{}, runRoceInstallation),
	}),
	"perf-tuning": vector(tuningInput{}, runTuning),
}

type roceModeOutput struct {
	Mode uint32 `json:"roce_mode"`
}

type roceParameterInput struct {
	RoceMode int `json:"RoceMode"`
}

func runRoceParameter(in roceParameterInput) (roceModeOutput, error) {
	mode, ok := registry.RoCEOfPowerShell(in.RoceMode)
	if !ok {
		return roceModeOutput{}, fmt.Errorf("%d is no RoceMode", in.RoceMode)
	}
	return roceModeOutput{mode}, nil
}

type roceCardInput struct {
	Card     string `json:"card"`
	Firmware string `json:"firmware"`
	Mode     uint32 `json:"roce_mode"`
}

type roceCardOutput struct {
	Effective uint32 `json:"effective"`
}

func runRoceCard(in roceCardInput) (roceCardOutput, error) {
	family, id := description.WinOF2, uint16(0) // all WinOF-2 cards behave alike here
	switch in.Card {
	case "connectx-3":
		family, id = description.WinOF, 0x1003
	case "connectx-3-pro":
		family, id = description.WinOF, 0x1007
	}
	return roceCardOutput{registry.SupportedRoCE(family, id, in.Firmware, in.Mode)}, nil
}

// vectorFamily returns the driver family with this name in the vector files.
func vectorFamily(word string) (description.Family, error) {
	switch word {
	case "winof":
		return description.WinOF, nil
	case "winof2":
		return description.WinOF2, nil
	}
	return 0, fmt.Errorf("%q is no driver family", word)
}

type roceKeysInput struct {
	Family  string         `json:"driver_family"`
	Adapter registry.Value `json:"adapter_roce_mode"`
	Driver  registry.Value `json:"driver_roce_mode"`
}

func runRoceKeys(in roceKeysInput) (roceModeOutput, error) {
	family, err := vectorFamily(in.Family)
	return roceModeOutput{registry.PreferredRoCE(family, in.Adapter, in.Driver)}, err
}

type roceInstallationInput struct {
	Family   string         `json:"driver_family"`
	Version  [2]int         `json:"version"`
	First    bool           `json:"first_installation"`
	Previous registry.Value `json:"previous_mode"`
}

func runRoceInstallation(in roceInstallationInput) (roceModeOutput, error) {
	family, err := vectorFamily(in.Family)
	if in.First {
		in.Previous = registry.Value{}
	}
	return roceModeOutput{registry.InstalledRoCE(family, in.Version[0], in.Version[1], in.Previous)}, err
}

type tuningInput struct {
	Flag   string  `json:"flag"`
	NDIS   string  `json:"ndis"`
	First  *string `json:"c1"`
	Second *string `json:"c2"`
	Base   *int    `json:"b"`
	Number *int    `json:"n"`
}

type tuningOutput struct {
	Sets       map[string]map[string]int64 `json:"sets,omitempty"`
	Chosen     []string                    `json:"chosen"`
	Restored   []string                    `json:"restored"`
	Processors []int                       `json:"rss_processors,omitempty"`
	Rejected   bool                        `json:"rejected,omitempty"`
	Reason     string                      `json:"reason,omitempty"`
}

func runTuning(in tuningInput) (tuningOutput, error) {
	scenario, ok := tuning.Find(in.Flag)
	if !ok {
		return tuningOutput{}, fmt.Errorf("%q is no scenario", in.Flag)
	}
	request := tuning.Request{Scenario: scenario, Base: in.Base, Number: in.Number}
	if in.NDIS == "6.2" {
		request.NDIS = tuning.NDIS62
	}
	for _, link := range []*string{in.First, in.Second} {
		if link != nil {
			request.Connections = append(request.Connections, tuning.Connection{InfiniBand: *link == "ipoib", Processors: []int{0, 1, 2, 3, 4, 5, 6, 7}})
		}
	}
	tuned, err := tuning.Tune(request)
	var rejected *tuning.RejectedError
	if errors.As(err, &rejected) {
		return tuningOutput{Rejected: true, Reason: rejected.Reason}, nil
	}
	out := tuningOutput{Sets: map[string]map[string]int64{}, Chosen: []string{}, Restored: []string{}}
	for i, t := range tuned {
		name := fmt.Sprintf("c%d", i+1)
		out.Sets[name] = map[string]int64{}
		for _, s := range t.Settings {
			out.Sets[name][s.Key] = s.Value
		}
		for _, s := range t.Chosen {
			if !slices.Contains(out.Chosen, s.Key) {
				out.Chosen = append(out.Chosen, s.Key)
			}
		}
		if t.Restored {
			out.Restored = append(out.Restored, name)
		}
		out.Processors = append(out.Processors, t.Processors...)
	}
	return out, err
}

// TestTuningsWriteOnlyExpectedKeys checks what the comparison of vectors ignores: a scenario writes only the expected
// keys.
func TestTuningsWriteOnlyExpectedKeys(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(vectorFolder, "perf-tuning.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, failures := runVectorFile(text, func(input, expected json.RawMessage) error {
		var in tuningInput
		var want tuningOutput
		if err := errors.Join(json.Unmarshal(input, &in), json.Unmarshal(expected, &want)); err != nil {
			return err
		}
		got, err := runTuning(in)
		for name, sets := range got.Sets {
			if len(sets) != len(want.Sets[name]) {
				return fmt.Errorf("%s gets %v, expected %v", name, sets, want.Sets[name])
			}
		}
		return err
	})
	for _, failure := range failures {
		t.Error(failure)
	}
}
