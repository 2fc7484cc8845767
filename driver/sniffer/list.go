package sniffer

import (
	"context"
	"io"
	"time"

	"cxdeck/device/capture/pcap"
	"cxdeck/device/packet"
	"cxdeck/driver"
)

// Line is a captured frame in words.
type Line struct {
	Time time.Time `json:"time"`
	// Sent is the direction, as the port has it.
	Sent     bool   `json:"sent"`
	From     string `json:"from"`
	To       string `json:"to"`
	Protocol string `json:"protocol"`
	// Length is in bytes, without FCS.
	Length int    `json:"length"`
	Notes  string `json:"notes,omitempty"`
}

// List captures frames like Run, and returns them in words, in the order of their times.
func List(ctx context.Context, h *driver.Host, place Place, options Options) (list []Line, err error) {
	options.Watch = func(f *packet.Frame) {
		list = append(list, Line{f.Time, f.Sent, f.From(), f.To(), f.Protocol(), f.Length, f.Notes()})
	}
	options.Ring = 0
	_, err = Run(ctx, h, place, options, io.Discard, pcap.Next)
	return list, err
}
