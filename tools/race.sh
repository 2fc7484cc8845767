#!/usr/bin/env bash
# Runs the tests of the packages with goroutines under the race detector: packages that start one, and packages whose tests
# run a screen or command beside a monitor. -short leaves out the tests that go through tables of commands, counters,
# sizes or pictures in one goroutine: they take minutes under the detector, and find nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
goroutine='^[[:space:]]*go [[:alnum:]_.]+\(|^[[:space:]]*go func|\.Go\(|AfterFunc\(|"cxdeck/views/viewtest"'
mapfile -t packages < <(grep -lrE "$goroutine" --include='*.go' perf store ui views | grep -v '^views/exec/' | xargs -n1 dirname |
    sort -u | sed 's|^|./|')
exec go test -race -short -vet=off "$@" "${packages[@]}"
