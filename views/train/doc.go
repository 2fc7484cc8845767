// Package train runs exercises: it breaks a host of the lab, judges what the operator makes of it, and keeps records. The exercises are
// data of driver/exercise. A course is an exercise in progress; its healthy host is the same host without the fault, which runs for the
// same time and says what a host without the fault would have received.
package train
