#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other. A limit on executions, not on time, ends each run: Go's fuzzer
# may report its own deadline as a failure. The first run of a target has FUZZRUNS executions (default 500). Each further run
# has four times as many, until a run has lasted FUZZMS milliseconds (default 1000), so fast targets run more often than slow
# ones. The script builds the tests of a package once: a build takes longer than most runs. GUIDED=0 builds them without the
# counters of coverage that guide the fuzzer: some hundred runs find nothing by them, and all packages would be compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."
first=${FUZZRUNS:-500}
guidance=(-fuzz .)
if [ "${GUIDED:-1}" = 0 ]; then
    guidance=()
fi
min_ns=$((${FUZZMS:-1000} * 1000000))
max_runs=$((first * 4 ** 10))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found_inputs=$(go env GOCACHE)/fuzz

# attempt PACKAGE TARGET RUNS runs a target in the folder of its package, where the fuzzer writes failing inputs. It prints
# the output and saves it in $work/log.
attempt() {
    (cd "$(go list -f '{{.Dir}}' "$1")" && "$work/tests" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$3x" \
        -test.fuzzminimizetime 100x -test.fuzzcachedir "$found_inputs/$1") 2>&1 | tee "$work/log"
}

# expired reports whether the fuzzer's own deadline, and not an input, made the last run fail.
expired() {
    grep -q 'context deadline exceeded' "$work/log" && ! grep -q 'Failing input' "$work/log"
}

found=0
while read -r package; do
    go test -c -vet=off "${guidance[@]}" -o "$work/tests" "$package"
    for target in $("$work/tests" -test.list '^Fuzz'); do
        found=$((found + 1))
        runs=$first
        while true; do
            echo "fuzz $package $target ${runs}x"
            began=$(date +%s%N)
            attempt "$package" "$target" "$runs" || { expired && attempt "$package" "$target" "$runs"; } || exit 1
            if [ $(($(date +%s%N) - began)) -ge "$min_ns" ] || [ "$runs" -ge "$max_runs" ]; then
                break
            fi
            runs=$((runs * 4))
        done
    done
done < <(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | xargs go list)
test "$found" -gt 0
