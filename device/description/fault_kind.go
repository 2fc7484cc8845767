package description

import "fmt"

// faultTraits describe each kind of fault.
var faultTraits = [FaultCount]struct {
	entire   bool // its share is 0 or 1
	function bool // caused by a virtual function, so only on ports that have some
	operator bool // caused only by an operator, not by a schedule
	name     string
}{
	LinkFlap:        {entire: true, name: "a link that is lost"},
	FarEndPause:     {name: "a far end that pauses"},
	BadCable:        {name: "a bad cable"},
	Congestion:      {name: "congestion on the send path"},
	LongFrames:      {name: "frames that are too long"},
	Stall:           {entire: true, name: "a host that stops receiving"},
	Debugger:        {entire: true, name: "a kernel debugger"},
	FewReceives:     {name: "too few posted receives"},
	WrongKey:        {name: "wrong memory keys"},
	BadRequest:      {name: "invalid requests"},
	RemoteFailure:   {name: "requests that the other end can't carry out"},
	ApplicationExit: {entire: true, operator: true, name: "RDMA applications that have exited"},
	SendHang:        {entire: true, operator: true, name: "send queues without progress"},
	ManyQueuePairs:  {name: "many queue pairs"},
	WrongAddress:    {function: true, name: "a virtual function that sends with a wrong address"},
	DisallowedType:  {function: true, name: "a virtual function that sends a disallowed Ethertype"},
	FirmwareLoad:    {function: true, name: "a virtual function that overloads the firmware"},
	Storm:           {function: true, name: "a virtual function that floods the network"},
	Capture:         {entire: true, operator: true, name: "a capture tool on the port itself"},
	MissingUpdate:   {entire: true, operator: true, name: "a Windows update that is missing"},
	WrongSizes:      {name: "peers that send frames of wrong sizes"},
}

// String returns the fault as a phrase: "a bad cable".
func (k FaultKind) String() string {
	if k >= FaultCount {
		return fmt.Sprintf("fault %d", uint8(k))
	}
	return faultTraits[k].name
}

// FaultKinds returns all faults, in their order.
func FaultKinds() []FaultKind {
	list := make([]FaultKind, FaultCount)
	for i := range list {
		list[i] = FaultKind(i)
	}
	return list
}

// FunctionFaults returns the faults that a virtual function causes, in order.
func FunctionFaults() (list []FaultKind) {
	for kind, traits := range faultTraits {
		if traits.function {
			list = append(list, FaultKind(kind))
		}
	}
	return list
}

// Known reports whether it is one of FaultKinds.
func (k FaultKind) Known() bool { return k < FaultCount }

// Entire reports whether the share of the fault can only be 0 or 1.
func (k FaultKind) Entire() bool { return faultTraits[k].entire }

// ByFunction reports whether a virtual function causes the fault.
func (k FaultKind) ByFunction() bool { return faultTraits[k].function }
