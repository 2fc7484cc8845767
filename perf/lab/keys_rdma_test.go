package lab

import "cxdeck/driver/scenes"

// rdmaKeys returns keys that enable RDMA and select its transport. Without RDMA the same data goes over TCP, which loads the
// host's processors.
func rdmaKeys() []labKey {
	const activity = `\RDMA Activity(`
	const out, connections = `)\RDMA Outbound Bytes/sec`, `)\RDMA Active Connections`
	return []labKey{
		{port: jumboPort, key: "roce_mode", value: "4", counter: activity + jumboPort + out, way: scenes.Stops},
		{port: jumboPort, key: "roce_mode", value: "4", counter: activity + jumboPort + connections, way: scenes.Stops},
		{port: jumboPort, key: "roce_mode", value: "4", counter: workOf + jumboPort + processor, way: scenes.Rises, factor: 1.5},
		{port: jumboPort, key: "roce_mode", value: "0", counter: activity + jumboPort + `)\RDMA Failed Connection Attempts`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "roce_mode", value: "4", counter: activity + winOFPort + out, way: scenes.Stops},
		{port: winOFPort, key: "roce_mode", value: "0", counter: activity + winOFPort + connections, way: scenes.Stops},
		{port: jumboPort, key: "*NetworkDirect", value: "0", counter: activity + jumboPort + out, way: scenes.Stops},
		{port: jumboPort, key: "*NetworkDirectTechnology", value: "3", counter: activity + jumboPort + out, way: scenes.Stops},
		{port: winOFPort, key: "*NetworkDirect", value: "0", counter: activity + winOFPort + out, way: scenes.Stops},
		{port: winOFPort, key: "RoceMaxFrameSize", value: "512", counter: activity + winOFPort + `)\RDMA Outbound Frames/sec`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "RoceMaxFrameSize", value: "512", counter: activity + jumboPort + `)\RDMA Outbound Frames/sec`, way: scenes.Rises, factor: 2},
	}
}
