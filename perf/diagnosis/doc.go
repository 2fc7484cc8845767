// Package diagnosis evaluates the rules of driver/health/findings over a source: it adds the facts of counters, as rates between two columns,
// to the facts about the host, if the source has one. Counter rules so run on recordings, logs and the interfaces of this machine, too.
package diagnosis
