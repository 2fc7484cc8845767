#!/usr/bin/env bash
# Plants faults in a package and looks whether its tests see them: tools/mutants.sh PACKAGE [LINES [SEED]]
#
# Without LINES every mutant of the package is tried; with LINES those on so many lines of covered code, which the seed
# chooses. The mutation tester has no sample of its own, but it can keep to the lines that differ from a commit: so the
# chosen lines are blanked in a commit of a copy, and given back after it. Mutants that lived are listed; the last lines
# say how many were killed.
set -euo pipefail
package=${1:?usage: tools/mutants.sh PACKAGE [LINES [SEED]]}
lines=${2:-}
seed=${3:-1}
gremlins=(go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0)
options=(--timeout-coefficient "${COEFFICIENT:-30}" --output-statuses lt)

if [ -z "$lines" ]; then
    exec "${gremlins[@]}" unleash "${options[@]}" "./$package"
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git archive HEAD | tar -x -C "$copy"
cd "$copy"
git init -q
git config diff.relative true # the tester names files as they stand in the package
commit() { git add -A && git -c user.name=mutants -c user.email=mutants@localhost commit -qm "$1"; }
"${gremlins[@]}" unleash --dry-run "./$package" |
    sed -n 's/^ *RUNNABLE [A-Z_]* at \(.*\):\([0-9]*\):[0-9]*$/\1 \2/p' | sort -u |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' | sort | head -n "$lines" |
    cut -d' ' -f2- >sample
while read -r file line; do
    sed -i "${line}s/.*//" "$package/$file"
done <sample
commit blanked
base=$(git rev-parse HEAD)
(cd "$OLDPWD" && git archive HEAD) | tar -x
commit whole
cd "$package"
export GIT_DIFF_OPTS=--unified=0
"${gremlins[@]}" unleash "${options[@]}" --diff "$base" "$PWD"
