package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vectorFolder is the folder of the vector files, unless the environment variable names another one.
const (
	vectorFolder   = "testdata/vectors"
	vectorVariable = "CXDECK_VECTORS"
)

// vectorGroups are the runners of all topics. A topic is a vector file without its ".json". Each group is a table in its
// own file: to add a topic, add a row there; to add a case, add a row to a vector file.
var vectorGroups = []map[string]vectorRunner{
	receiveVectors, sendVectors, congestionVectors, qosVectors, wireVectors, driverVectors, resiliencyVectors, teamVectors,
	virtualVectors,
}

// vectorTopics must have a runner; the folder of the project must have a file for each.
var vectorTopics = []string{
	"rss-toeplitz", "rss-steering", "roce-udp-sport", "roce-gid", "dcqcn", "dcqcn-np", "dcqcn-params", "pfc-pause", "ets",
	"dscp", "tc-bw-rounding", "interrupt-moderation", "adaptive-polling", "tx-ring", "jumbo-lso", "performance",
	"encapsulation", "roce-mode", "perf-tuning", "team-config", "teaming-failover", "vf-allocation", "ib-sriov-gids",
	"ethertype-filter", "vf-dhcp-redirect", "vf-monitor", "dcbx", "resiliency",
}

func TestVectors(t *testing.T) {
	t.Parallel()
	folder := os.Getenv(vectorVariable)
	foreign := folder != ""
	if !foreign {
		folder = vectorFolder
	}
	results, err := runVectors(folder, vectorGroups)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 {
		t.Fatalf("%s holds no vector file (*.json)", folder)
	}
	total := 0
	for _, r := range results {
		for _, failure := range r.failures {
			t.Errorf("%s: %s", r.file, failure)
		}
		t.Log(r)
		total += r.ran
	}
	t.Logf("%d cases ran from %s", total, folder)
	for _, topic := range vectorTopics {
		i := slices.IndexFunc(results, func(r vectorResult) bool { return r.topic() == topic })
		switch {
		case vectorRunnerOf(vectorGroups, topic) == nil:
			t.Errorf("%s has no runner", topic)
		case i < 0 && foreign:
			t.Logf("%s.json: not in this folder", topic)
		case i < 0 || results[i].ran == 0:
			t.Errorf("%s.json: no case in %s", topic, folder)
		}
	}
}

// vectorRunner runs one case and returns the fault in its result.
type vectorRunner func(input, expected json.RawMessage) error

// vector returns a runner for a function whose input and output have the names of the vector file as JSON tags. Fields
// that a case omits have their value in defaults, which must not contain maps or slices. A field of the case
// that In lacks is an error, so no case passes partly unread; fields of the output without an expected value are not
// compared.
func vector[In, Out any](defaults In, run func(In) (Out, error)) vectorRunner {
	return func(input, expected json.RawMessage) error {
		in := defaults
		if err := decodeStrictly(input, &in); err != nil {
			return fmt.Errorf("read the input: %w", err)
		}
		out, err := run(in)
		if err != nil {
			return err
		}
		text, err := json.Marshal(out)
		if err != nil {
			return fmt.Errorf("write the output: %w", err)
		}
		return compareJSON(text, expected)
	}
}

// vectorOps returns a runner that selects another runner by the input's "op", which it removes from the input.
func vectorOps(ops map[string]vectorRunner) vectorRunner {
	return func(input, expected json.RawMessage) error {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(input, &fields); err != nil {
			return fmt.Errorf("read the input: %w", err)
		}
		var op string
		if err := json.Unmarshal(fields["op"], &op); err != nil {
			return fmt.Errorf("read the input's op: %w", err)
		}
		run := ops[op]
		if run == nil {
			return fmt.Errorf("op %q has no runner; there are %q", op, slices.Sorted(maps.Keys(ops)))
		}
		delete(fields, "op")
		rest, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		return run(rest, expected)
	}
}

// vectorResult is the result of one file.
type vectorResult struct {
	file     string
	run      bool // its topic has a runner
	ran      int  // cases
	failures []string
}

func (r vectorResult) topic() string { return strings.TrimSuffix(r.file, ".json") }

func (r vectorResult) String() string {
	if !r.run {
		return r.file + ": not run"
	}
	return fmt.Sprintf("%s: %d cases ran, %d failed", r.file, r.ran, len(r.failures))
}

// runVectors runs every file of a folder in the order of their names.
func runVectors(folder string, groups []map[string]vectorRunner) ([]vectorResult, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("open the vector files: %w", err)
	}
	var results []vectorResult
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the vector file: %w", err)
		}
		result := vectorResult{file: entry.Name()}
		if run := vectorRunnerOf(groups, result.topic()); run != nil {
			result.run = true
			result.ran, result.failures = runVectorFile(text, run)
		}
		results = append(results, result)
	}
	return results, nil
}

func vectorRunnerOf(groups []map[string]vectorRunner, topic string) vectorRunner {
	for _, group := range groups {
		if run := group[topic]; run != nil {
			return run
		}
	}
	return nil
}

// runVectorFile returns the number of cases of a file and the failures.
func runVectorFile(text []byte, run vectorRunner) (ran int, failures []string) {
	var file struct {
		Description string
		Source      string
		Cases       []struct {
			Name            string
			Input, Expected json.RawMessage
		}
	}
	if err := decodeStrictly(text, &file); err != nil {
		return 0, []string{err.Error()}
	}
	seen := map[string]bool{}
	for i, c := range file.Cases {
		if c.Name == "" || seen[c.Name] {
			failures = append(failures, fmt.Sprintf("case %d: the name %q is empty or not the only one", i, c.Name))
		}
		seen[c.Name] = true
		if err := runVectorCase(c.Input, c.Expected, run); err != nil {
			failures = append(failures, c.Name+": "+err.Error())
		}
	}
	return len(file.Cases), failures
}

// runVectorCase runs a case and turns a panic into a failure of this case.
func runVectorCase(input, expected json.RawMessage, run vectorRunner) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if len(input) == 0 || len(expected) == 0 {
		return errors.New("a case has an input and what is expected")
	}
	return run(input, expected)
}

func decodeStrictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON text")
	}
	return nil
}

// compareJSON returns the differences between got and expected; real numbers may differ by a millionth. Names that only
// got has are ignored.
func compareJSON(got, expected []byte) error {
	var values [2]any
	for i, text := range [][]byte{got, expected} {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber() // keeps 3 and 3.0 apart
		if err := decoder.Decode(&values[i]); err != nil {
			return err
		}
	}
	return errors.Join(compareValues("", values[0], values[1])...)
}

func compareValues(at string, got, expected any) []error {
	differ := []error{fmt.Errorf("%s is %v, expected %v", placeName(at), got, expected)}
	switch expected := expected.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return differ
		}
		var errs []error
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			value, ok := object[name]
			if !ok {
				errs = append(errs, fmt.Errorf("%s is not in the output", placeName(at+"."+name)))
				continue
			}
			errs = append(errs, compareValues(at+"."+name, value, expected[name])...)
		}
		return errs
	case []any:
		list, ok := got.([]any)
		if !ok {
			return differ
		}
		var errs []error
		if len(list) != len(expected) {
			errs = append(errs, fmt.Errorf("%s has %d entries, expected %d", placeName(at), len(list), len(expected)))
		}
		for i := range min(len(list), len(expected)) {
			errs = append(errs, compareValues(at+"["+strconv.Itoa(i)+"]", list[i], expected[i])...)
		}
		return errs
	case json.Number:
		if number, ok := got.(json.Number); ok && sameNumber(string(number), string(expected)) {
			return nil
		}
		return differ
	}
	if got != expected {
		return differ
	}
	return nil
}

// placeName returns a readable form of a path such as ".a[1].b".
func placeName(at string) string {
	if at == "" {
		return "the output"
	}
	return strings.TrimPrefix(at, ".")
}

// sameNumber compares exactly if the expected number is written as an integer.
func sameNumber(got, expected string) bool {
	if got == expected {
		return true
	}
	a, errA := strconv.ParseFloat(got, 64)
	b, errB := strconv.ParseFloat(expected, 64)
	if errA != nil || errB != nil {
		return false
	}
	if !strings.ContainsAny(expected, ".eE") {
		const exact = 1 << 53 // beyond it different integers are the same float64
		return a == b && math.Abs(b) < exact
	}
	const tolerance, nothing = 1e-6, 1e-12
	return math.Abs(a-b) <= max(tolerance*max(math.Abs(a), math.Abs(b)), nothing)
}
