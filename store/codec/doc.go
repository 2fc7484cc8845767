// Package codec packs samples: a frame is the difference between a sample and the one before it, and a window of frames is
// folded into groups of cells, one block per cell. It reads and writes bytes only, no files and no database.
package codec
