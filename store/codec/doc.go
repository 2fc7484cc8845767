// Package codec packs samples: a frame is a sample as its difference from the one before it, and a window of frames is folded into
// groups of cells, one block a cell. It reads and writes bytes only, no files and no database.
package codec
