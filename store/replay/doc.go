// Package replay plays a recorded session back as a source: its samples, or minutes and hours where no samples are left, with
// its events and inventories, and periods of single series. It reads through the pool of a History, which also finds sessions
// and knows which one is still being recorded.
package replay
