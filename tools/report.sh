#!/usr/bin/env bash
# Renders a report in Chromium with the light theme, with the dark theme and as a PDF, into bin/report. Fails when the browser
# logs an error or requests a URL outside the page, or when the accessibility checker axe-core has findings in the light or
# the dark theme. With --picture it also makes the picture of the docs.
set -euo pipefail
command -v chromium >/dev/null || { echo "chromium is missing; install the package chromium"; exit 1; }
command -v npm >/dev/null || { echo "npm is missing; install the package npm"; exit 1; }
npm install --silent --no-fund --no-audit --prefix bin/axe axe-core@4.14.1 >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p bin/report
go build -o "$work/cxdeck" .
printf '%s\n' 'advance 3m' 'reg set "Ethernet 7" *JumboPacket 4096' 'advance 1m' 'scene run pause-storm' 'advance 2m' \
    'adapter disable "Ethernet 5"' 'advance 1m' | "$work/cxdeck" exec --db "$work/lab.db" >/dev/null
"$work/cxdeck" report --db "$work/lab.db" >bin/report/report.html

# browse NAME FLAG... runs Chromium on the report and fails with its messages when it logs any about the page.
browse() {
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="${SIZE:-1200,2400}" \
        --user-data-dir="$work/profile" --enable-logging=stderr --log-level=0 "${@:2}" "file://$PWD/bin/report/report.html" 2>"$work/log"
    if grep -E 'CONSOLE|Refused|net::' "$work/log"; then
        echo "$1: the browser logged errors for the page"
        exit 1
    fi
}
browse light --screenshot=bin/report/light.png
browse dark --blink-settings=preferredColorScheme=0 --screenshot=bin/report/dark.png
browse paper --print-to-pdf=bin/report/report.pdf
# check NAME FLAG... runs axe-core on a copy of the report without the Content-Security-Policy and prints the findings.
check() {
    local page="$work/checked.html" node
    {
        sed 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' bin/report/report.html
        echo '<script>'
        cat bin/axe/node_modules/axe-core/axe.min.js
        echo '</script><script>axe.run(document, {resultTypes: ["violations", "incomplete"]}).then((found) => {
            const list = (kind) => found[kind].map((rule) => kind + " " + rule.id + " (" + rule.impact + "): " + rule.help +
                rule.nodes.slice(0, 5).map((one) => "\n    " + one.html.slice(0, 200)).join(""));
            document.documentElement.innerHTML = "<body></body>";
            document.body.textContent = "AXE " + found.passes.length + " rules pass\n" + list("violations").concat(list("incomplete")).join("\n") + "\nEND";
        }, (problem) => { document.body.textContent = "AXE failed: " + problem; })</script>'
    } >"$page"
    timeout 300 chromium --headless --no-sandbox --disable-gpu --window-size=1200,2400 --user-data-dir="$work/profile" \
        --virtual-time-budget=120000 "${@:2}" --dump-dom "file://$page" 2>/dev/null >"$work/dom" || true
    node=$(sed -n '/AXE/,/END/p' "$work/dom" | sed 's/<[^>]*>//g')
    if ! grep -qE 'AXE [0-9]+ rules pass' <<<"$node" || grep -qE '^(violations|incomplete) ' <<<"$node"; then
        echo "$1: axe-core finds"
        echo "$node"
        exit 1
    fi
    echo "$1: axe-core finds nothing; $(grep -oE '[0-9]+ rules pass' <<<"$node")"
}
check light
check dark --blink-settings=preferredColorScheme=0
# The picture of the docs is the head of the page, as the program makes it now.
if [ "${1:-}" = --picture ]; then
    SIZE=1000,1180 browse picture --screenshot=docs/pictures/report.png
fi
for file in light.png dark.png report.pdf; do
    [ -s "bin/report/$file" ] || { echo "$file was not drawn"; exit 1; }
done
echo "bin/report: the report is drawn in light, in dark and on paper without a complaint"
