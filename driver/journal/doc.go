// Package journal holds plans of Operations as plain data, and the journal of the plans that were tried: their encoding, what can be
// undone and what conflicts with it, and the change that waits for a confirmation. The host applies them.
package journal
