// Package registry holds the driver's keys in the Windows registry: the catalogue of keys with type, range, default, effect,
// and when a value takes effect; the hive of stored values; the effective values that the driver reads from them at its start;
// and verdicts on values, by the range of a key and by the rules between keys. It is independent of hosts, events and
// Operations. Its package regfile reads and writes regedit's files, and tuning has the scenarios of the drivers' tuning tool.
package registry
