#!/usr/bin/env bash
# Runs every fuzz target of the module for FUZZTIME each (default 5s), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-5s}
found=0
for package in $(go list ./...); do
    for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
        found=$((found + 1))
        echo "fuzz $package $target $time"
        go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
    done
done
test "$found" -gt 0
