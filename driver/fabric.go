package driver

import "cxdeck/device"

// ScaleFlow multiplies the demand of a group of flows.
type ScaleFlow struct {
	// Flow is its name: "Web front end".
	Flow string `json:"flow"`
	// Scale is 0 to stop it, 1 as described, 10 the most.
	Scale float64 `json:"scale"`
}

// SetSwitchPort sets up the switch port of a connection. What is nil stays as it is.
type SetSwitchPort struct {
	Connection string `json:"connection"`
	// SpeedGbps is the line rate in Gb/s.
	SpeedGbps *int `json:"speed_gbps,omitempty"`
	// MaxFrame is the largest frame in bytes with header, without FCS.
	MaxFrame    *int                `json:"max_frame,omitempty"`
	FlowControl *device.FlowControl `json:"flow_control,omitempty"`
	// Lossless has a bit for each priority with PFC.
	Lossless *uint8 `json:"lossless,omitempty"`
	// MarkLeast and MarkMost are the queue lengths in bytes between which RDMA frames are marked (Kmin, Kmax), and
	// MarkProbability the share at the upper one (Pmax).
	MarkLeast       *float64 `json:"mark_least_bytes,omitempty"`
	MarkMost        *float64 `json:"mark_most_bytes,omitempty"`
	MarkProbability *float64 `json:"mark_probability,omitempty"`
	// PauseShare is the part of the time for which the switch tells the host to stop, PausePriority the priority that
	// it names with PFC.
	PauseShare    *float64 `json:"pause_share,omitempty"`
	PausePriority *int     `json:"pause_priority,omitempty"`
}

// SetSlot moves a card to a slot of another kind.
type SetSlot struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
	// Generation of PCI Express, 1 to 4, and Lanes: 1, 2, 4, 8 or 16.
	Generation int `json:"generation"`
	Lanes      int `json:"lanes"`
}

// SetProcessorSpeed slows the processors down in what they do for a connection.
type SetProcessorSpeed struct {
	Connection string `json:"connection"`
	// Speed is the part of their speed that is left, 0.01 to 1.
	Speed float64 `json:"speed"`
}
