#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other. A run is bounded by a count of executions and not by time:
# Go's fuzzer may report its own deadline as a failure. It begins with FUZZRUNS executions (default 500), and takes four
# times as many until a run has lasted a second, so that a fast target is tried far more often than a slow one.
set -euo pipefail
cd "$(dirname "$0")/.."
first=${FUZZRUNS:-500}
most=$((first * 4 ** 10))
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# attempt PACKAGE TARGET RUNS runs a target, and shows and keeps what it says.
attempt() {
    go test -run '^$' -fuzz "^$2\$" -fuzztime "$3x" -fuzzminimizetime 100x "$1" 2>&1 | tee "$log"
}

# expired says whether the last run failed by the fuzzer's own deadline and by no input.
expired() {
    grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"
}

# seconds is how many whole seconds the last run lasted, without what it took to build it.
seconds() {
    sed -n 's/^ok[[:space:]].*[[:space:]]\([0-9]*\)\.[0-9]*s$/\1/p' "$log"
}

found=0
for package in $(go list ./...); do
    for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
        found=$((found + 1))
        runs=$first
        while true; do
            echo "fuzz $package $target ${runs}x"
            attempt "$package" "$target" "$runs" || { expired && attempt "$package" "$target" "$runs"; }
            if [ "$(seconds)" -ge 1 ] || [ "$runs" -ge "$most" ]; then
                break
            fi
            runs=$((runs * 4))
        done
    done
done
test "$found" -gt 0
