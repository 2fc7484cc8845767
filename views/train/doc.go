// Package train runs exercises: it breaks a host of the lab, judges the repair, and keeps records. The exercises are
// data of driver/exercise. A course is an exercise in progress; its healthy host is a copy without the fault, which runs for the same
// time: the comparison shows what the fault has cost.
package train
