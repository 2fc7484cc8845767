package counter

// Priority is one of the counters kept for each priority of a port.
type Priority int

// The counters of a priority.
const (
	PriorityReceivedBytes Priority = iota
	PriorityReceivedPackets
	PrioritySentBytes
	PrioritySentPackets
	// PauseSent counts pause frames sent; FarEndPaused is the time in microseconds for which the far end was paused.
	PauseSent
	FarEndPaused
	// PauseReceived are pause frames received; SelfPaused is the time in microseconds that this end was held back.
	PauseReceived
	SelfPaused
	PriorityDiscarded
	// PrioritySentDiscards are frames thrown away before they were sent.
	PrioritySentDiscards
	// PriorityECNMarked are received RoCE v2 frames with the congestion mark; PriorityECNIgnored the frames of them that
	// no notification answers, because the priority does not notify.
	PriorityECNMarked
	PriorityECNIgnored
	PriorityCNPsSent
	PriorityCNPsHandled
	PriorityCNPsIgnored
	// PriorityECNCoalesced are marked frames that the notification of another one answers.
	PriorityECNCoalesced
	// PriorityLimiters are the queue pairs that have come under a rate limiter, PriorityLimited the queue pairs under one now.
	PriorityLimiters
	PriorityLimited
	// The sum of the rates of the limiters in Mbit/s, now, on average of late, at its highest, and at its lowest since
	// there were none.
	PriorityRate
	PriorityRateMean
	PriorityRateHigh
	PriorityRateLow
	// PriorityNotices are notifications that wait to be sent now.
	PriorityNotices
	PriorityCount
)

// Untagged is the instance beside priorities 0 to 7 that frames without a tag and global pause count on.
const Untagged = 8

// Priorities is how many instances there are: eight priorities and Untagged.
const Priorities = 9
