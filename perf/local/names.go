package local

// adapterNames are the names of the devices of vendor 15b3, virtual functions included.
var adapterNames = map[string]string{
	"1003": "ConnectX-3", "1004": "ConnectX-3 VF", "1007": "ConnectX-3 Pro", "1013": "ConnectX-4", "1014": "ConnectX-4 VF",
	"1015": "ConnectX-4 Lx", "1016": "ConnectX-4 Lx VF", "1017": "ConnectX-5", "1018": "ConnectX-5 VF",
	"1019": "ConnectX-5 Ex", "101a": "ConnectX-5 Ex VF", "101b": "ConnectX-6", "101c": "ConnectX-6 VF",
	"101d": "ConnectX-6 Dx", "101e": "ConnectX VF", "101f": "ConnectX-6 Lx", "1021": "ConnectX-7", "1023": "ConnectX-8",
	"a2d2": "BlueField", "a2d3": "BlueField VF", "a2d6": "BlueField-2", "a2dc": "BlueField-3",
}
