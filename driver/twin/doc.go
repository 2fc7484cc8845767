// Package twin makes a lab of a real host from what its operators can export: registry files, the output of cmdlets as JSON, the output of
// the firmware tools and of the drivers' programs, the system snapshot, and the bundle of a Linux machine. It reads the exports, which may be
// damaged or hostile, says what it had to assume, and compares a later export with the lab. It also writes the lab's own exports, in
// the form of a real host's. It draws nothing, and it opens no file.
package twin
