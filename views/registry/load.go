package registry

import (
	"context"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/registry/keyset"
)

// snapshotMsg contains a snapshot of the host of a monitor.
type snapshotMsg struct {
	monitor  *monitor.Monitor
	snapshot *keyset.Snapshot
	// tree is the snapshot's tree in an arrangement.
	tree        keyset.Tree
	arrangement keyset.Arrangement
	err         error
}

// fingerprint changes when the keys of a monitor's host may have changed: after each change of the host, and when the state of
// an adapter changes. In a replay it changes with the restored host.
func fingerprint(m *monitor.Monitor) uint64 {
	mark := uint64(len(m.Journal())) + m.RecordedHostVersion()<<32
	inventory := m.Inventory()
	if inventory == nil {
		return mark
	}
	for i := range inventory.Nodes {
		n := &inventory.Nodes[i]
		mark = mark*31 + uint64(n.State) + 7*uint64(len(n.Pending))
	}
	return mark
}

// load reads the host between two samples, and grades the stored values outside the terminal loop.
func load(m *monitor.Monitor, by keyset.Arrangement) ui.Cmd {
	return ui.Background("Read the registry", func(ctx context.Context) ui.Msg {
		msg := snapshotMsg{monitor: m, arrangement: by}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) (err error) {
			msg.snapshot, err = keyset.Read(h)
			return err
		})
		if msg.err == nil {
			msg.snapshot.Judge()
			msg.tree = keyset.BuildTree(msg.snapshot, by)
		}
		return msg
	})
}

// setSnapshot shows a snapshot.
func (v *View) setSnapshot(msg snapshotMsg) ui.Cmd {
	if msg.monitor != v.monitor {
		return nil // another source is shown now
	}
	v.loading, v.err = false, msg.err
	if msg.err != nil {
		return nil // the next change of the host reads it again
	}
	v.snapshot, v.elsewhere = msg.snapshot, false
	if v.scores != nil {
		v.score() // each snapshot has its own unknown values
	}
	if v.parked == nil {
		v.draft.Reconcile(v.snapshot)
	}
	v.history.index(v.snapshot, v.historyEnd())
	v.updateGrades()
	if msg.arrangement == v.arrangement {
		v.tree = msg.tree
		v.followTree()
	} else {
		v.rebuildTree()
	}
	v.detail.Stale = true
	return ui.Batch(v.offerDraft(), v.resumeDraft())
}
