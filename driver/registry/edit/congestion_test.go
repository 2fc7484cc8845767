package edit

import (
	"slices"
	"testing"
)

func TestMergeCongestion(t *testing.T) {
	t.Parallel()
	const line = `Mlx5Cmd.exe -Qosconfig -Dcqcn -Name "Ethernet" -Set -Dcqcn`
	got := MergeCongestion([]string{line + "RPEnablePrio3 1", line + "NPEnablePrio3 1", line + "EnablePrio3 1", line + "RPEnablePrio4 1", "x", line + "NPEnablePrio3 0"})
	if want := []string{line + "EnablePrio3 1", line + "RPEnablePrio4 1", "x", line + "NPEnablePrio3 0"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
