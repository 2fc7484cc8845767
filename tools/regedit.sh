#!/usr/bin/env bash
# Checks our .reg files with Wine's regedit: regedit imports cxdeck's export and exports the keys again, and cxdeck plans an
# import of that file. The plan must have no changes. A second round has values with quotes, backslashes and non-ASCII text.
set -euo pipefail
command -v wine >/dev/null || { echo "wine is missing; install the package wine"; exit 1; }
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
go build -o "$work/cxdeck" .
deck() { "$work/cxdeck" exec --db "$work/lab.db" "$@"; }
timeout 120 wine wineboot -i >/dev/null 2>&1
for value in DataBasePath Domain Hostname; do # Wine has its own values for these
    wine reg delete 'HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters' /v "$value" /f >/dev/null
done

# round NAME imports NAME.reg with regedit and fails when regedit's export of a key differs from cxdeck's values.
round() {
    local keys=0
    timeout 60 wine regedit "Z:${work//\//\\}\\$1.reg"
    while read -r key; do
        keys=$((keys + 1))
        timeout 60 wine regedit /E "Z:${work//\//\\}\\$1-$keys.reg" "$key"
        deck reg import "$work/$1-$keys.reg" >"$work/answer"
        grep -q ': 0 values to change' "$work/answer" || { echo "regedit changed $key:"; cat "$work/answer"; exit 1; }
    done < <(iconv -f utf-16 -t utf-8 "$work/$1.reg" | tr -d '\r' | sed -n 's/^\[\(.*\)\]$/\1/p')
    echo "$1: $keys registry keys are the same after regedit"
}

deck reg export "$work/installed.reg"
round installed
deck reg set "Ethernet 4" DumpMeNowDirectory 'C:\temp\"quoted" with \\ and ünï 中文\' --force >/dev/null
deck reg set "Ethernet 8" NetworkAddress 0002C9A1B2C3 --force >/dev/null
deck reg export "$work/hard.reg"
round hard
