#!/usr/bin/env bash
# Runs the tests of the packages that start goroutines under the race detector. SCREENS=1 adds the packages of the screens,
# whose tests run a monitor. They double the time, and the default run already tests random use of all screens (views/cli).
# -short skips the tests that loop over tables of commands, counters, sizes or pictures in one goroutine: they take minutes
# under the detector and cannot have a race.
set -euo pipefail
cd "$(dirname "$0")/.."
goroutine='^[[:space:]]*go [[:alnum:]_.]+\(|^[[:space:]]*go func|(^|[^i])\.Go\(' # ui.Go changes the screen
without='^(views/exec|perf/lab|views/teaming)/' # views/teaming starts one in a test alone
if [ "${SCREENS:-}" = 1 ]; then
    without='^(views/exec|perf/lab)/'
    goroutine+='|"cxdeck/views/viewtest"'
fi
# A lab starts goroutines only while it is built: a few tests of perf/lab do that in all its ways.
built='^Test(LabSchemasAreSound|TheLargeLabIsSampled|TheInventoryAfterAReset|TheInventoryFollowsTheHost|TheSchemaGrows|ATeamHasItsOwnSeries)$'
mapfile -t packages < <(grep -lrE "$goroutine" --include='*.go' perf store ui views | grep -Ev "$without" | xargs -n1 dirname |
    sort -u | sed 's|^|./|')
go test -race -short -vet=off "$@" ./perf/lab -run "$built"
exec go test -race -short -vet=off "$@" "${packages[@]}"
