// Package windows watches the Windows machine that the program runs on: Performance Monitor's counters, the network adapters with
// their keys in the registry, and the events of the drivers. It reads only. The calls of Windows are behind the interfaces Counters, Key
// and Log, so that the rest is tested on any system.
package windows
