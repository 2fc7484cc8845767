// Package findings holds the rules that find what is wrong with a host: each is a row of rules.json with a condition over facts, a
// sentence, causes and fixes. It evaluates the rules over facts that others gather, and follows findings over time. It knows no
// host, no counters and no screen.
package findings
