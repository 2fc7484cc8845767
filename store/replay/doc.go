// Package replay plays a recorded session back as a source: its samples, or minutes and hours where only these are left, with its
// events and inventories, and stretches of single series. It reads through a pool that it is given; which sessions there are, and
// which is still being recorded, the history says.
package replay
