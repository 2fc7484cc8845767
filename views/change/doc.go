// Package change is shared by the screens that apply plans after a review: wizards from data with their saved answers, the
// forecast beside a review, and the confirmation that the host can still be reached afterwards. It does not know the screens.
package change
