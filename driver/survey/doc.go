// Package survey connects a host and an intent: it collects the facts for the checks in driver/intent, makes the plan that brings
// the host to its intent, and saves the state of a host as an intent.
package survey
