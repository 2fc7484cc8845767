//go:build !linux

package main

import "time"

// waitRead gives the program time to read everything that was typed.
func (c *terminal) waitRead() { time.Sleep(60 * time.Millisecond) }
