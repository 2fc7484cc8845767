// Package change is what screens share that apply plans after a review: the forecast beside it, and the question
// whether the way to the host still works after it. It knows no screen and makes no plan.
package change
