package forecast_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/perf/forecast"
)

// TestForecastHasTeams: a team that only one of the copies has differs, and so do members whose traffic changes.
func TestForecastHasTeams(t *testing.T) {
	t.Parallel()
	const team = "Team Storage"
	made := []driver.Operation{
		teams.Create{Name: "Storage", Type: "AFT", Family: description.WinOF2},
		teams.Attach{Team: "Storage", Connection: "Ethernet 9", Primary: true},
		teams.Attach{Team: "Storage", Connection: "Ethernet 10"},
	}
	run := func(first, plan []driver.Operation) []forecast.Difference {
		host := freshHost(t)
		first = append(first, adapters.MarkManagement{Connection: "Ethernet 3", Carries: true})
		if _, err := host.Apply(driver.Plan{Title: "x", Operations: first}); err != nil {
			t.Fatal(err)
		}
		host.Advance(10 * time.Second)
		f, err := forecast.RunOn(t.Context(), host, driver.Plan{Title: "x", Operations: plan}, forecast.Options{Span: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return f.Differences
	}
	find := func(list []forecast.Difference, set, instance, counter string) (forecast.Difference, bool) {
		i := slices.IndexFunc(list, func(d forecast.Difference) bool {
			return d.Series.Set == set && d.Series.Instance == instance && d.Series.Counter == counter
		})
		if i < 0 {
			return forecast.Difference{}, false
		}
		return list[i], true
	}
	comes := run(nil, made)
	if i := slices.IndexFunc(comes, func(d forecast.Difference) bool { return d.Series.Instance == team }); i > 5 {
		t.Errorf("the team is at %d of %d", i, len(comes))
	}
	if d, ok := find(comes, perf.SummarySet, team, perf.SummarySend); !ok || !math.IsNaN(d.Before) || !(d.After > 1e6) || !math.IsNaN(d.Change) {
		t.Errorf("a new team: %+v, %v", d, ok)
	}
	if d, ok := find(comes, perf.SummarySet, "Ethernet 10", perf.SummarySend); !ok || d.After > d.Before/2 {
		t.Errorf("its backup: %+v, %v", d, ok)
	}
	if d, ok := find(run(made, []driver.Operation{teams.Delete{Team: "Storage"}}), perf.SummarySet, team, perf.SummarySend); !ok || !(d.Before > 1e6) || !math.IsNaN(d.After) {
		t.Errorf("a removed team: %+v, %v", d, ok)
	}
	moves := run(made, []driver.Operation{teams.SetPrimary{Team: "Storage", Connection: "Ethernet 10"}, hardware.PullCable{Connection: "Ethernet 9"}})
	if d, ok := find(moves, perf.SummarySet, "Ethernet 10", perf.SummarySend); !ok || d.After < 2*d.Before {
		t.Errorf("a member that takes over: %+v, %v", d, ok)
	}
}
