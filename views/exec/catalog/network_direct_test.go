package catalog

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/views/exec"
)

// causeCase is a measurement on an idle lab, with the lines before it and its first cause; empty for a healthy one. A last cause comes at the end,
// after the causes that it worsens.
type causeCase struct {
	before []string
	line   string
	cause  string
	last   bool
}

// checkCauses runs the cases, whose documents have their rate in a field.
func checkCauses(t *testing.T, rate string, cases map[string]causeCase) {
	t.Helper()
	idle := func(d *description.Description) {
		for i := range d.Flows {
			d.Flows[i].Idle = true
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, idle)
			if status := b.script(c.before...); status != exec.Done {
				t.Fatalf("%d: %s", status, b.errs.String())
			}
			document := b.documents(t, c.line)[0]
			causes := document["causes"].([]any)
			at := 0
			if c.last {
				at = len(causes) - 1
			}
			healthy := document["healthy"] == true
			if c.cause == "" && (!healthy || len(causes) > 0) || c.cause != "" && (healthy || len(causes) == 0 || !strings.Contains(causes[at].(string), c.cause)) {
				t.Errorf("%v of %v b/s: %v, want %q", document[rate], document["expected_bits_per_second"], causes, c.cause)
			}
		})
	}
}

// TestNetworkDirectCauses: a test on an idle port gets at least 95% of what card and link allow, and below it says why.
func TestNetworkDirectCauses(t *testing.T) {
	t.Parallel()
	const server = "start /b nd_send_bw -S 10.7.0.10"
	checkCauses(t, "rows", map[string]causeCase{
		"idle":                    {line: "nd_send_bw -C 10.7.0.21 -D 2"},
		"idle read":               {line: "nd_read_bw -C 10.7.0.21 -D 2"},
		"idle write":              {line: "nd_write_bw -C 10.3.0.21 -D 2"},
		"idle server":             {line: "nd_send_bw -S 10.7.0.10 -D 2"},
		"another subnet":          {line: "nd_send_bw -C 10.5.1.1 -D 2"},
		"IPv6":                    {line: "nd_send_bw -C fd00:3:1::1 -D 2"},
		"loopback":                {before: []string{server}, line: "nd_send_bw -C 10.7.0.10 -D 2"},
		"slow slot":               {before: []string{`slot set "ConnectX-5 Ex" 2 8`}, line: "nd_send_bw -C 10.7.0.21 -D 2", cause: "PCI Express 2 slot of 8 lanes"},
		"loopback in a slow slot": {before: []string{`slot set "ConnectX-5 Ex" 3 8`, server}, line: "nd_send_bw -C 10.7.0.10 -D 2", cause: "PCI Express 3 slot of 8 lanes"},
		"slow link":               {before: []string{`switch set "Ethernet 7" speed=40`, "advance 20s"}, line: "nd_send_bw -C 10.7.0.21 -D 2", cause: "the link runs at 40 of 100 Gb/s"},
		"small frames":            {before: []string{`reg set "Ethernet 7" *JumboPacket 614`, `adapter restart "Ethernet 7"`, "advance 20s"}, line: "nd_send_bw -C 10.7.0.21 -D 2", cause: "a frame carries 512 bytes"},
		"class limit":             {before: []string{`mlxtool modify tc-bw "Ethernet 3" 3 5000`}, line: "nd_send_bw -C 10.3.0.21 -D 2 -p 445", cause: "the traffic class is limited to 5000 Mbit/s"},
		"pauses":                  {before: []string{`switch set "Ethernet 7" pause-share=0.5 pause-priority=3`, "advance 5s"}, line: "nd_send_bw -C 10.7.0.21 -D 2 -p 445", cause: "pause frames stopped the port"},
		"busy":                    {before: []string{`workload scale "SMB Direct writes, volume 1" 1`, "advance 5s"}, line: "nd_send_bw -C 10.7.0.21 -D 2", cause: "other traffic of the port"},
	})
}

// TestStreamCauses: NTttcp on an idle port with long frames fills the line, and below it says why.
func TestStreamCauses(t *testing.T) {
	t.Parallel()
	checkCauses(t, "bits_per_second", map[string]causeCase{
		"sender":           {line: "NTttcp -s -m 16,*,10.3.0.21 -t 2"},
		"receiver":         {line: "NTttcp -r -m 16,*,10.3.0.10 -t 2 -wu 2"},
		"one processor":    {line: "NTttcp -s -m 16,0,10.7.0.21 -t 2", cause: "the threads move at most"},
		"a small buffer":   {line: "NTttcp -s -m 4,*,10.7.0.21 -t 2 -rb 64K", cause: "the threads move at most"},
		"short frames":     {line: "NTttcp -r -m 16,*,10.5.0.10 -t 2", cause: "was busy for"},
		"without RSS":      {before: []string{`reg set "Ethernet 7" *RSS 0`, `adapter restart "Ethernet 7"`, "advance 20s"}, line: "NTttcp -r -m 16,*,10.7.0.10 -t 2 -wu 2", cause: "was busy for"},
		"without segments": {before: []string{`reg set "Ethernet 5" *LsoV2IPv4 0`, `adapter restart "Ethernet 5"`, "advance 20s"}, line: "NTttcp -s -m 2,*,10.5.1.1 -t 2 -wu 2", cause: "large sends are off", last: true},
		"slow link":        {before: []string{`switch set "Ethernet 7" speed=40`, "advance 20s"}, line: "NTttcp -s -m 16,*,10.7.0.21 -t 2", cause: "the link runs at 40 of 100 Gb/s"},
		"slow slot":        {before: []string{`slot set "ConnectX-5 Ex" 2 8`}, line: "NTttcp -s -m 16,*,10.7.0.21 -t 2", cause: "PCI Express 2 slot of 8 lanes"},
		"class limit":      {before: []string{`New-NetQosPolicy T -IPProtocolMatchCondition TCP -PriorityValue8021Action 3`, `mlxtool modify tc-bw "Ethernet 3" 3 5000`}, line: "NTttcp -s -m 16,*,10.3.0.21 -t 2", cause: "the traffic class is limited to 5000 Mbit/s"},
		"busy":             {before: []string{`workload scale "SMB Direct writes, volume 1" 1`, "advance 5s"}, line: "NTttcp -s -m 16,*,10.7.0.21 -t 2", cause: "other traffic of the port"},
	})
}
