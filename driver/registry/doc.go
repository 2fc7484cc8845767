// Package registry is what the driver keeps in the Windows registry: the catalogue of its keys with type, range,
// default, effect, and when a value counts; the hive of stored values; the step from what is stored to what the driver
// makes of it when it starts; and verdicts on values, by what a key takes and by the rules between keys. It knows
// nothing of hosts, events or Operations. regfile below it reads and writes the files of regedit, tuning has the
// scenarios of the drivers' tuning tool.
package registry
