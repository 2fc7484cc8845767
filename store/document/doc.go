// Package document packs texts and JSON for the history, and reads them back within bounds, because a small row of a tampered
// file can represent a huge value. What the texts mean is not known here.
package document
