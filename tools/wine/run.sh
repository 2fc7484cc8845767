#!/usr/bin/env bash
# Builds the program for Windows with cgo and without, and runs both under Wine: version, exec with a history, the registry of the adapters
# with changes and their undo, Performance Monitor's counters, and the console. Needs the packages wine64 and gcc-mingw-w64-x86-64.
set -euo pipefail
cd "$(dirname "$0")/../.."
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
[ -x "$wine" ] && command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "wine64 or x86_64-w64-mingw32-gcc is missing; install the packages wine64 and gcc-mingw-w64-x86-64"; exit 1; }
scratch=$(mktemp -d)
export WINEPREFIX="$scratch/prefix" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
trap 'wineserver -k 2>/dev/null || true; sleep 1; rm -rf "$scratch"' EXIT
"$wine" wineboot -i >/dev/null 2>&1
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" tools/wine/bcryptprimitives.c -ladvapi32
GOOS=windows CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc go build -trimpath -o "$scratch/cgo.exe" .
GOOS=windows CGO_ENABLED=0 go build -trimpath -o "$scratch/pure.exe" .
cd "$scratch"
run() { timeout 120 "$wine" "$program" "$@" </dev/null; }
# Windows' end of line is CR LF in what Wine's own programs print.
expect() { tr -d '\r' >seen.txt; grep -q -- "$1" seen.txt || { echo "failed: $kind: $2"; cat seen.txt; exit 1; }; echo "ok: $kind: $2"; }

class='HKLM\SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}\0005'
service='HKLM\SYSTEM\CurrentControlSet\Services\mlx5\Parameters'
add() { "$wine" reg add "$class" /f "$@" >/dev/null; }
adapter='Mellanox ConnectX-5 Adapter'

for kind in cgo pure; do
    program="$scratch/$kind.exe"
    rm -rf state && mkdir state
    run version --json | expect "\"platform\":\"windows/amd64\",\"cgo\":$([ $kind = cgo ] && echo true || echo false)" 'version'
    run exec --db state/h.db 'adapter list' | expect 'ConnectX' 'exec on a new history'
    run exec --db state/h.db 'reg set "Ethernet 7" *JumboPacket 1514' | expect '.' 'a change'
    run exec --db state/h.db 'reg get "Ethernet 7" *JumboPacket' | expect '1514' 'the change after a restart of the program'
    run sql --db state/h.db 'SELECT count(*) FROM host' | expect '1' 'sql'

    "$wine" reg delete "$class" /f >/dev/null 2>&1 || true
    "$wine" reg delete "$service" /f >/dev/null 2>&1 || true
    add /v DriverDesc /d "$adapter"
    add /v MatchingDeviceId /d 'pci\ven_15b3&dev_1017'
    add /v '*JumboPacket' /d 1514
    add /v NumVFs /t REG_DWORD /d 8
    add /v Numbers /t REG_MULTI_SZ /d 'one\0two'
    "$wine" reg add "$service" /f /v Surprise /t REG_DWORD /d 3 >/dev/null
    run machine registry >machine.reg
    iconv -f UTF-16LE -t UTF-8 machine.reg | expect '"\*JumboPacket"="1514"' 'the registry of the adapters'
    iconv -f UTF-16LE -t UTF-8 machine.reg | expect '"NumVFs"=dword:00000008' 'a number in it'
    "$wine" reg delete "$class" /f >/dev/null
    "$wine" regedit machine.reg >/dev/null
    "$wine" reg query "$class" | expect 'one\\0two' 'the export as a backup: regedit imports it'

    local() { run local "$@" --db state/h.db 2>&1 || true; } # some of the commands fail on purpose
    local show registry | expect "Registry of $adapter" 'local show: the keys with their meanings'
    local settings mlx5 | expect 'Surprise .*Unknown' 'local settings: an unknown value of a service'
    local set "$adapter" '*JumboPacket=9014' | expect 'Nothing was changed' 'local set: the plan only'
    local set "$adapter" '*JumboPacket=9014' --allow-changes --read-only | expect 'Nothing was changed' 'local set: --read-only'
    "$wine" reg query "$class" /v '*JumboPacket' | expect 'REG_SZ *1514' 'nothing is written without --allow-changes'
    local set "$adapter" '*JumboPacket=1' --allow-changes | expect 'must be' 'local set: a value out of its range'
    local set "$adapter" '*JumboPacket=9014' NumVFs=16 '*RSS=1' --allow-changes --yes | expect 'Done and read back: change 1' 'local set: a change'
    "$wine" reg query "$class" /v '*JumboPacket' | expect 'REG_SZ *9014' 'the new text'
    "$wine" reg query "$class" /v NumVFs | expect 'REG_DWORD *0x10' 'the new number'
    "$wine" reg query "$class" /v '*RSS' | expect 'REG_SZ *1' 'the new value'
    iconv -f UTF-16LE -t UTF-8 state/registry-*.reg | expect '"\*JumboPacket"="1514"' 'the backup before the change'
    local set "$adapter" '*JumboPacket=4088' --allow-changes --confirm 2s | expect 'was not confirmed' 'local set: no answer'
    "$wine" reg query "$class" /v '*JumboPacket' | expect 'REG_SZ *9014' 'the old value is restored'
    local undo --allow-changes --yes | expect 'Undo change 1' 'local undo'
    "$wine" reg query "$class" | expect 'JumboPacket *REG_SZ *1514' 'the text before'
    "$wine" reg query "$class" | expect 'NumVFs *REG_DWORD *0x8' 'the number before'
    if "$wine" reg query "$class" /v '*RSS' >/dev/null 2>&1; then echo "failed: $kind: the new value is there after the undo"; exit 1; fi
    local set mlx5 'Parameters\Surprise=4' --allow-changes --yes | expect 'Done and read back' 'local set: a key of a service'
    "$wine" reg query "$service" | expect 'Surprise *REG_DWORD *0x4' 'the new number of the service'
    local journal | expect 'reverted' 'local journal'
    local export "$kind.reg" "$adapter" '*JumboPacket=9014' | expect 'Nothing was changed' 'local export: a registry file'
    "$wine" regedit "$kind.reg" >/dev/null
    "$wine" reg query "$class" /v '*JumboPacket' | expect 'REG_SZ *9014' 'regedit imports the plan'

    { run counters --source local -n 1 '\*(*)\*' 2>&1 || true; } | expect "Performance Monitor of this system can't list" 'counters: one sentence about what Wine lacks'
    run --source local --plain --ephemeral --screen registry 2>&1 | head -60 >screen.txt || true
    expect "Registry of $adapter" 'the Registry screen has the keys of this machine' <screen.txt
    run --plain --ephemeral 2>&1 | head -40 >screen.txt || true
    expect 'Overview' 'the console as plain lines' <screen.txt
done
