// Package traffic is what the flows of a lab ask for: their five-tuples, the flows that virtual machines bring along, schedules,
// and how demand moves with time and with losses. Dice draw what is random.
package traffic
