// Package survey stands between a host and an intent: it finds the facts that the checks of an intent compare, makes the plan
// that brings the host there, and writes down what the host has as an intent. The checks are in driver/intent.
package survey
