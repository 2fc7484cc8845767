// Package registry is what the driver keeps in the Windows registry: the catalogue of its keys with type, range,
// default, and when a value counts; the hive of stored values; and the step from what is stored to what the driver makes
// of it when it starts. It knows nothing of hosts, events or Operations.
package registry
