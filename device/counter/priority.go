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
	// PauseReceived counts pause frames received; SelfPaused is the time in microseconds for which this end was paused.
	PauseReceived
	SelfPaused
	PriorityDiscarded
	// PrioritySentDiscards counts frames dropped before they were sent.
	PrioritySentDiscards
	// PriorityECNMarked counts received RoCE v2 frames with the congestion mark; PriorityECNIgnored the marked frames that no
	// notification answers, because the priority does not notify.
	PriorityECNMarked
	PriorityECNIgnored
	PriorityCNPsSent
	PriorityCNPsHandled
	PriorityCNPsIgnored
	// PriorityECNCoalesced counts marked frames that are answered by the notification of another frame.
	PriorityECNCoalesced
	// PriorityLimiters counts queue pairs that came under a rate limiter, PriorityLimited is the number of queue pairs under a
	// limiter now.
	PriorityLimiters
	PriorityLimited
	// The sum of the limiters' rates in Mbit/s: now, the recent mean, the maximum, and the minimum since there were none.
	PriorityRate
	PriorityRateMean
	PriorityRateHigh
	PriorityRateLow
	// PriorityNotices is the number of notifications that wait to be sent now.
	PriorityNotices
	PriorityCount
)

// Untagged is the instance after priorities 0 to 7, for frames without a tag and global pause.
const Untagged = 8

// Priorities is the number of instances: eight priorities and Untagged.
const Priorities = 9
