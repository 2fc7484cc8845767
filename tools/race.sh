#!/usr/bin/env bash
# Runs the tests of the packages that start goroutines under the race detector. With SCREENS=1 it runs the screens, too, whose
# tests have a monitor run beside them: they take as long again, and the random use of all screens in views/cli is among the
# others. -short leaves out the tests that go through tables of commands, counters, sizes or pictures in one goroutine: they
# take minutes under the detector, and find nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
goroutine='^[[:space:]]*go [[:alnum:]_.]+\(|^[[:space:]]*go func|(^|[^i])\.Go\(' # ui.Go changes the screen
if [ "${SCREENS:-}" = 1 ]; then
    goroutine+='|"cxdeck/views/viewtest"'
fi
mapfile -t packages < <(grep -lrE "$goroutine" --include='*.go' perf store ui views | grep -v '^views/exec/' | xargs -n1 dirname |
    sort -u | sed 's|^|./|')
exec go test -race -short -vet=off "$@" "${packages[@]}"
