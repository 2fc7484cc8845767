package qos

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/intent"
	"cxdeck/driver/qos"
	"cxdeck/driver/stack"
	"cxdeck/views/viewtest"
)

// kept is an intent for Ethernet 8 of the default lab.
var kept = intent.Keep{File: "rdma.toml", Data: []byte(`[[AllNodes]]
NodeName = "localhost"

[[AllNodes.RDMAEnabledAdapters]]
Name = "Ethernet 8"
VLANID = 101
JumboPacket = 9014

[[NonNodeData.NetQos]]
Name = "Cluster"
Template = "Cluster"
PriorityValue8021Action = 7
BandwidthPercentage = 1
Algorithm = "ETS"

[[NonNodeData.NetQos]]
Name = "SMBDirect"
NetDirectPortMatchCondition = 445
PriorityValue8021Action = 3
BandwidthPercentage = 60
Algorithm = "ETS"

[[NonNodeData.NetQos]]
Name = "DEFAULT"
Template = "Default"
PriorityValue8021Action = 0
BandwidthPercentage = 39
Algorithm = "ETS"
`)}

// TestDriftFromTheKeptIntent keeps an intent, brings the host to it by the key, and lets it drift: the line says which checks fail for
// the shown port and the host.
func TestDriftFromTheKeptIntent(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Await(d, "a port", func() bool { return v.port() != nil })
	s.Press("I")
	s.Want("no intent is stored")
	apply(t, d, kept)
	s.Press("/")
	s.Type("ethernet 8")
	s.Press("enter")
	s.AwaitText(d, "checks fail (I); port: host 11")
	s.Press("I")
	s.Want("Bring LAB-N4 to its intent?", "Host 11 (Ethernet 8): VLANID is as declared", "101, found 0", "The plan is for all ports")
	s.Press("y")
	s.AwaitText(d, "Intent rdma.toml: 2 checks fail (I); port: path 1, path 3")
	apply(t, d, stack.SetSMB{Side: stack.ClientSide, Sign: new(true)})
	s.AwaitText(d, "3 checks fail (I); port: path 1, path 3; whole host: host 63")
	apply(t, d, qos.SetFlowControl{Priorities: []int{3}})
	s.AwaitText(d, "whole host: host 22, host 63")
	s.Press("tab", "down")
	s.Want("Intent rdma.toml")
	s.Press("tab", "esc", "left")
	s.AwaitText(d, "2 checks fail (I); whole host: host 22, host 63")
	if got := v.port().Description.Connection; got != "Ethernet 7" {
		t.Errorf("left of Ethernet 8 is %s", got)
	}
}

// TestGoldenDrift pins the line and the page of a host that drifts.
func TestGoldenDrift(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 20, map[int]driver.Operation{10: kept})
	v := shown(d)
	v.filter.Set("Ethernet 8")
	v.arrange()
	viewtest.Golden(t, v, "drift")
	v.inPage = true
	viewtest.Golden(t, v, "drift-page")
}
