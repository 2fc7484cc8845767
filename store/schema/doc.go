// Package schema defines the form of a history: its version, the tables of each version, and how a history is changed to the next one.
// What is stored in the tables is known only where a change of form needs it.
package schema
