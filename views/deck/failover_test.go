package deck

import (
	"testing"

	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
)

func TestLoses(t *testing.T) {
	t.Parallel()
	team := func(kind mux.Type, members ...teams.MemberView) *teams.View {
		return &teams.View{Name: "A", Type: kind, Connected: true, Members: members}
	}
	member := func(name string, role mux.Role, status mux.Status) teams.MemberView {
		return teams.MemberView{Connection: name, Role: role, Status: status}
	}
	active, backup := member("1", mux.Active, mux.Connected), member("2", mux.Backup, mux.Connected)
	for _, c := range []struct {
		team *teams.View
		lost []string
		want string
	}{
		{team(mux.AFT, active), []string{"1"}, "Team A goes down: no other member is connected."},
		{team(mux.AFT, active, backup), []string{"1"}, "Team A fails over to 2."},
		{team(mux.AFT, active, backup), []string{"1", "2"}, "Team A goes down: no other member is connected."},
		{team(mux.AFT, active, backup), []string{"2"}, "The traffic of team A continues: only a standby member is lost."},
		{team(mux.AFT, active, member("2", mux.Backup, mux.Disconnected)), []string{"1"}, "Team A goes down: no other member is connected."},
		{team(mux.AFT, active, backup, member("3", mux.Backup, mux.Connected)), []string{"1"}, "Team A fails over to another member."},
		{team(mux.ALB, active, member("2", mux.Active, mux.Connected)), []string{"1"}, "Team A continues over 2."},
		{team(mux.ALB, active, member("2", mux.Active, mux.Connected), member("3", mux.Active, mux.Connected)), []string{"3"},
			"Team A continues over its other members."},
		{&teams.View{Name: "A", Type: mux.SLA, Members: []teams.MemberView{member("1", mux.Backup, mux.Connected)}}, []string{"1"},
			"Team A is down already."},
	} {
		if got := TeamEffect(c.team, c.lost...); got != c.want {
			t.Errorf("%s of %d without %q: %q, want %q", c.team.Type, len(c.team.Members), c.lost, got, c.want)
		}
	}
}
