package lab

import "cxdeck/device"

// workSet is the console's own set of what a port costs its host. Windows shows that by processor alone, and the sets
// of WinOF say nothing of sends.
const workSet = "cxdeck Port Work"

// processorSet is the console's own set of what all ports together cost each processor.
const processorSet = "cxdeck Processor"

// workSets are those of the host's processors.
func workSets() []counterSet {
	return []counterSet{
		{
			name: workSet, scope: perPort, has: isAny, total: "_Total", sum: "all ports",
			bind: []binding{
				sumOf("% Processor Time", device.HostBusy).times(percentOfMicroseconds),
				sumOf("Interrupts/sec", device.Interrupts),
				sumOf("Receive Indications/sec", device.HostIndicates),
				sumOf("Sends Posted/sec", device.HostSends),
			},
		},
		{
			name: processorSet, scope: perHost, has: isAny,
			bind: []binding{
				sumOf("% Processor Time", device.ProcessorBusy).times(percentOfMicroseconds),
				sumOf("Interrupts/sec", device.ProcessorInterrupts),
			},
		},
	}
}

// percentOfMicroseconds makes microseconds in a second a percentage.
const percentOfMicroseconds = 100 / 1e6
