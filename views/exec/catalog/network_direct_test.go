package catalog

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/views/exec"
)

// TestNetworkDirectCauses: a test on an idle port gets at least 95% of what card and link allow, and below it says why.
func TestNetworkDirectCauses(t *testing.T) {
	t.Parallel()
	idle := func(d *description.Description) {
		for i := range d.Flows {
			d.Flows[i].Idle = true
		}
	}
	const server = "start /b nd_send_bw -S 10.7.0.10"
	for name, c := range map[string]struct {
		before []string
		line   string
		cause  string
	}{
		"idle":                    {nil, "nd_send_bw -C 10.7.0.21 -D 2", ""},
		"idle read":               {nil, "nd_read_bw -C 10.7.0.21 -D 2", ""},
		"idle write":              {nil, "nd_write_bw -C 10.3.0.21 -D 2", ""},
		"idle server":             {nil, "nd_send_bw -S 10.7.0.10 -D 2", ""},
		"another subnet":          {nil, "nd_send_bw -C 10.5.1.1 -D 2", ""},
		"IPv6":                    {nil, "nd_send_bw -C fd00:3:1::1 -D 2", ""},
		"loopback":                {[]string{server}, "nd_send_bw -C 10.7.0.10 -D 2", ""},
		"slow slot":               {[]string{`slot set "ConnectX-5 Ex" 2 8`}, "nd_send_bw -C 10.7.0.21 -D 2", "PCI Express 2 slot of 8 lanes"},
		"loopback in a slow slot": {[]string{`slot set "ConnectX-5 Ex" 3 8`, server}, "nd_send_bw -C 10.7.0.10 -D 2", "PCI Express 3 slot of 8 lanes"},
		"slow link":               {[]string{`switch set "Ethernet 7" speed=40`, "advance 20s"}, "nd_send_bw -C 10.7.0.21 -D 2", "the link runs at 40 of 100 Gb/s"},
		"small frames":            {[]string{`reg set "Ethernet 7" *JumboPacket 614`, `adapter restart "Ethernet 7"`, "advance 20s"}, "nd_send_bw -C 10.7.0.21 -D 2", "a frame carries 512 bytes"},
		"class limit":             {[]string{`mlxtool modify tc-bw "Ethernet 3" 3 5000`}, "nd_send_bw -C 10.3.0.21 -D 2 -p 445", "the traffic class is limited to 5000 Mbit/s"},
		"pauses":                  {[]string{`switch set "Ethernet 7" pause-share=0.5 pause-priority=3`, "advance 5s"}, "nd_send_bw -C 10.7.0.21 -D 2 -p 445", "pause frames stopped the port"},
		"busy":                    {[]string{`workload scale "SMB Direct writes, volume 1" 1`, "advance 5s"}, "nd_send_bw -C 10.7.0.21 -D 2", "other traffic of the port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, idle)
			if status := b.script(c.before...); status != exec.Done {
				t.Fatalf("%d: %s", status, b.errs.String())
			}
			document := b.documents(t, c.line)[0]
			causes := document["causes"].([]any)
			switch {
			case c.cause == "" && (document["healthy"] != true || len(causes) > 0):
				t.Errorf("%v of %v b/s: %v", document["rows"], document["expected_bits_per_second"], causes)
			case c.cause != "" && (document["healthy"] == true || len(causes) == 0 || !strings.Contains(causes[0].(string), c.cause)):
				t.Errorf("%v of %v b/s: %v, want %q first", document["rows"], document["expected_bits_per_second"], causes, c.cause)
			}
		})
	}
}

// TestStreamCauses: NTttcp on an idle port with long frames fills the line, and below it says why.
func TestStreamCauses(t *testing.T) {
	t.Parallel()
	idle := func(d *description.Description) {
		for i := range d.Flows {
			d.Flows[i].Idle = true
		}
	}
	for name, c := range map[string]struct {
		before []string
		line   string
		cause  string
	}{
		"sender":           {nil, "NTttcp -s -m 16,*,10.3.0.21 -t 2", ""},
		"receiver":         {nil, "NTttcp -r -m 16,*,10.3.0.10 -t 2 -wu 2", ""},
		"one processor":    {nil, "NTttcp -s -m 16,0,10.7.0.21 -t 2", "the threads move at most"},
		"a small buffer":   {nil, "NTttcp -s -m 4,*,10.7.0.21 -t 2 -rb 64K", "the threads move at most"},
		"short frames":     {nil, "NTttcp -r -m 16,*,10.5.0.10 -t 2", "was busy for"},
		"without RSS":      {[]string{`reg set "Ethernet 7" *RSS 0`, `adapter restart "Ethernet 7"`, "advance 20s"}, "NTttcp -r -m 16,*,10.7.0.10 -t 2 -wu 2", "was busy for"},
		"without segments": {[]string{`reg set "Ethernet 5" *LsoV2IPv4 0`, `adapter restart "Ethernet 5"`, "advance 20s"}, "NTttcp -s -m 2,*,10.5.1.1 -t 2 -wu 2", ""},
		"slow link":        {[]string{`switch set "Ethernet 7" speed=40`, "advance 20s"}, "NTttcp -s -m 16,*,10.7.0.21 -t 2", "the link runs at 40 of 100 Gb/s"},
		"slow slot":        {[]string{`slot set "ConnectX-5 Ex" 2 8`}, "NTttcp -s -m 16,*,10.7.0.21 -t 2", "PCI Express 2 slot of 8 lanes"},
		"class limit":      {[]string{`New-NetQosPolicy T -IPProtocolMatchCondition TCP -PriorityValue8021Action 3`, `mlxtool modify tc-bw "Ethernet 3" 3 5000`}, "NTttcp -s -m 16,*,10.3.0.21 -t 2", "the traffic class is limited to 5000 Mbit/s"},
		"busy":             {[]string{`workload scale "SMB Direct writes, volume 1" 1`, "advance 5s"}, "NTttcp -s -m 16,*,10.7.0.21 -t 2", "other traffic of the port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, idle)
			if status := b.script(c.before...); status != exec.Done {
				t.Fatalf("%d: %s", status, b.errs.String())
			}
			document := b.documents(t, c.line)[0]
			causes := document["causes"].([]any)
			switch {
			case name == "without segments": // shows how much the processors do then
				if document["healthy"] == true || !strings.Contains(causes[len(causes)-1].(string), "large sends are off") {
					t.Errorf("%v of %v b/s: %v", document["bits_per_second"], document["expected_bits_per_second"], causes)
				}
			case c.cause == "" && (document["healthy"] != true || len(causes) > 0):
				t.Errorf("%v of %v b/s: %v", document["bits_per_second"], document["expected_bits_per_second"], causes)
			case c.cause != "" && (document["healthy"] == true || len(causes) == 0 || !strings.Contains(causes[0].(string), c.cause)):
				t.Errorf("%v of %v b/s: %v, want %q first", document["bits_per_second"], document["expected_bits_per_second"], causes, c.cause)
			}
		})
	}
}
