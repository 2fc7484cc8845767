package change

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui/widget/wizard"
)

// TestTheOperationThatFailedIsMarked checks that the failed Operation is found by its index, not by its text: a plan may
// contain the same Operation twice.
func TestTheOperationThatFailedIsMarked(t *testing.T) {
	t.Parallel()
	pull := hardware.PullCable{Connection: "Ethernet 7"}
	d := &dialog{plan: driver.Plan{Operations: []driver.Operation{pull, pull, hardware.PlugCable{Connection: "Ethernet 7"}}}}
	for _, c := range []struct {
		err  error
		want []wizard.Stage
	}{
		{
			fmt.Errorf("wrapped: %w", &driver.OperationError{Index: 1, Operation: pull, Err: errors.New("its cable is unplugged already")}),
			[]wizard.Stage{wizard.RolledBack, wizard.Failed, wizard.Waiting},
		},
		{
			errors.New("can't pull the cable of Ethernet 7: these words prove nothing"),
			[]wizard.Stage{wizard.RolledBack, wizard.RolledBack, wizard.RolledBack},
		},
	} {
		var got []wizard.Stage
		for _, o := range d.progress(wizard.Waiting, c.err).Operations {
			got = append(got, o.Stage)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.err, got, c.want)
		}
	}
}
