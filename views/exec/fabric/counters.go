package fabric

import (
	"io"
	"strconv"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// farRow has the counters of a switch port and the peers behind it, as JSON.
type farRow struct {
	ReceivedFrames uint64 `json:"received_frames"`
	ReceivedBytes  uint64 `json:"received_bytes"`
	ReceivedErrors uint64 `json:"received_errors"`
	SentFrames     uint64 `json:"sent_frames"`
	SentBytes      uint64 `json:"sent_bytes"`
	// Pause frames by priority; the last element is global pause.
	SentPauses     []uint64 `json:"sent_pause_frames"`
	ReceivedPauses []uint64 `json:"received_pause_frames"`
	TooLong        uint64   `json:"discards_too_long"`
	WrongVLAN      uint64   `json:"discards_vlan"`
	NoBuffer       uint64   `json:"discards_no_buffer"`
	Peers          peersRow `json:"peers"`
}

// peersRow has the RDMA diagnostics of the peers. Responder and requester are roles of the peer.
type peersRow struct {
	ResponderRNR        uint64 `json:"responder_rnr_nak"`
	RequesterRNR        uint64 `json:"requester_rnr_nak"`
	ResponderOutOfOrder uint64 `json:"responder_out_of_order"`
	RequesterOutOfOrder uint64 `json:"requester_out_of_order_nak"`
}

func farEndRow(h *driver.Host, port int) farRow {
	f := h.Lab().FarEnd(port)
	return farRow{
		ReceivedFrames: f.ReceivedFrames, ReceivedBytes: f.ReceivedBytes, ReceivedErrors: f.ReceivedErrors,
		SentFrames: f.SentFrames, SentBytes: f.SentBytes, SentPauses: f.SentPauses[:], ReceivedPauses: f.ReceivedPauses[:],
		TooLong: f.TooLong, WrongVLAN: f.WrongVLAN, NoBuffer: f.NoBuffer,
		Peers: peersRow{f.PeerResponderRNR, f.PeerRequesterRNR, f.PeerResponderOutOfOrder, f.PeerRequesterOutOfOrder},
	}
}

func sum(list []uint64) (n uint64) {
	for _, count := range list {
		n += count
	}
	return n
}

// switchCounters implements switch counters: the JSON of switch show, with a table of the counters as text.
func switchCounters(c *exec.Call, in *exec.OptionalPort) (exec.Answer, error) {
	answer, rows, err := switchPorts(c, in.Name)
	answer.Text = func(w io.Writer) error {
		t := exec.NewTextTable(w, "CONNECTION", "SWITCH PORT", "FRAMES IN", "BYTES IN", "DAMAGED", "FRAMES OUT", "BYTES OUT",
			"PAUSES IN", "PAUSES OUT",
			"TOO LONG", "WRONG VLAN", "NO BUFFER")
		count := func(n uint64) string { return strconv.FormatUint(n, 10) }
		for i := range rows {
			f := &rows[i].Counters
			t.Row(rows[i].Connection, rows[i].Name, count(f.ReceivedFrames), count(f.ReceivedBytes), count(f.ReceivedErrors),
				count(f.SentFrames), count(f.SentBytes), count(sum(f.ReceivedPauses)), count(sum(f.SentPauses)),
				count(f.TooLong), count(f.WrongVLAN), count(f.NoBuffer))
		}
		return t.Flush()
	}
	return answer, err
}
