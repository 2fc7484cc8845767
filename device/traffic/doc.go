// Package traffic models the demand of a lab's flows: their five-tuples, the flows that virtual machines add, schedules, and
// how demand changes with time and with losses. Dice supplies the random numbers. The lab computes how much of the demand is
// met.
package traffic
