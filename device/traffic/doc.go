// Package traffic models the demand of a lab's flows: their five-tuples, the flows that virtual machines add, schedules, and
// how demand changes with time and with losses. Dice supplies the random numbers. Whether demand is met, and what is lost,
// belongs to the lab.
package traffic
