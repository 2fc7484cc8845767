// Package change is what screens share that apply plans after a review: wizards from data with what was typed into
// them, the forecast beside a review, and the question whether the way to the host still works afterwards. It knows
// no screen.
package change
