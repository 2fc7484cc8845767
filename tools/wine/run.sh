#!/usr/bin/env bash
# Builds the program for Windows and runs it under Wine: version, exec with a history, the registry of the adapters, Performance Monitor's
# counters, and the console. Needs the packages wine64 and gcc-mingw-w64-x86-64. PROGRAM names a program that is built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
[ -x "$wine" ] && command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "wine64 or x86_64-w64-mingw32-gcc is missing; install the packages wine64 and gcc-mingw-w64-x86-64"; exit 1; }
scratch=$(mktemp -d)
export WINEPREFIX="$scratch/prefix" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
trap 'wineserver -k 2>/dev/null || true; sleep 1; rm -rf "$scratch"' EXIT
program="${PROGRAM:-}"
if [ -z "$program" ]; then
    program="$scratch/cxdeck.exe"
    GOOS=windows CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc go build -trimpath -o "$program" .
fi
"$wine" wineboot -i >/dev/null 2>&1
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" tools/wine/bcryptprimitives.c -ladvapi32
cd "$scratch"
run() { timeout 120 "$wine" "$program" "$@" </dev/null; }
# Windows' end of line is CR LF in what Wine's own programs print.
expect() { tr -d '\r' | grep -q -- "$1" || { echo "failed: $2"; exit 1; }; echo "ok: $2"; }

run version --json | expect '"platform":"windows/amd64","cgo":true' 'version'
run exec --db h.db 'adapter list' | expect 'ConnectX' 'exec on a new history'
run exec --db h.db 'reg set "Ethernet 7" *JumboPacket 1514' | expect '.' 'a change'
run exec --db h.db 'reg get "Ethernet 7" *JumboPacket' | expect '1514' 'the change after a restart of the program'
run sql --db h.db 'SELECT count(*) FROM host' | expect '1' 'sql'

class='HKLM\SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}\0005'
add() { "$wine" reg add "$class" /f "$@" >/dev/null; }
add /v DriverDesc /d "Mellanox ConnectX-5 Adapter"
add /v MatchingDeviceId /d 'pci\ven_15b3&dev_1017'
add /v '*JumboPacket' /d 1514
add /v NumVFs /t REG_DWORD /d 8
add /v Numbers /t REG_MULTI_SZ /d 'one\0two'
run machine registry >machine.reg
iconv -f UTF-16LE -t UTF-8 machine.reg | expect '"\*JumboPacket"="1514"' 'the registry of the adapters'
iconv -f UTF-16LE -t UTF-8 machine.reg | expect '"NumVFs"=dword:00000008' 'a number in it'
"$wine" reg delete "$class" /f >/dev/null
"$wine" regedit machine.reg >/dev/null
"$wine" reg query "$class" | expect 'one\\0two' 'the export as a backup: regedit imports it'

run counters --source local -n 1 '\Processor(*)\*' 2>&1 | tail -1 >local.txt || true
echo "note: --source local says: $(tr -d '\r' <local.txt | tail -1)"
run --plain --ephemeral 2>&1 | head -40 | expect 'Overview' 'the console as plain lines' || true
