// Package window keeps the recent columns of a source, with down-sampled levels of chosen series for longer periods, and
// returns points, buckets and statistics of them. It reads no source and draws nothing.
package window
