// Package document packs texts and JSON for the history, and reads them back within bounds, because a small row of a tampered
// file can represent a huge value. It does not know the meaning of the texts.
package document
