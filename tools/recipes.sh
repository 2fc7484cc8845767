#!/usr/bin/env bash
# Runs the recipes of docs/database.md for sqlite3, DuckDB and pandas on exports of a session. Fails when a recipe fails or returns no
# rows, or when the averages of the log, of JSON Lines and of cxdeck sql differ. Needs sqlite3 and npm; pandas is optional.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing; install the package sqlite3"; exit 1; }
command -v npm >/dev/null || { echo "npm is missing; install the package npm"; exit 1; }
root=$PWD
npm install --silent --no-fund --no-audit --prefix bin/duckdb @duckdb/node-api@1.5.6-r.1 >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/cxdeck" .
export PATH="$work:$PATH"
cd "$work"
printf '%s\n' 'advance 3m' 'reg set "Ethernet 7" *JumboPacket 4096' 'advance 1m' | cxdeck exec --db history.db >/dev/null

# block LANGUAGE prints the code blocks of the page in that language.
block() { awk -v word="\`\`\`$1" '$0 == word { on = 1; next } /^```/ { on = 0 } on' "$root/docs/database.md"; }

for file in monday.csv monday.jsonl; do
    cxdeck sessions export 1 "$file" '\Network Interface(*)\*' --db history.db
done
cxdeck sessions export 1 monday.db --db history.db
while read -r line; do
    echo "$line"
    eval "$line" >"$work/answer"
    case $line in *'>'*) ;; *) [ -s "$work/answer" ] || { echo "no rows"; exit 1; } ;; esac
done < <(block sh)
block duckdb >recipes.sql
cat >run.mjs <<JS
import { createRequire } from 'module';
import { readFileSync } from 'fs';
const { DuckDBInstance } = createRequire('$root/bin/duckdb/')('@duckdb/node-api');
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
const ask = async (query) => (await duckdb.runAndReadAll(query)).getRows();
for (const query of readFileSync('recipes.sql', 'utf8').split(/;\s*\n/)) {
  if (!query.trim()) continue;
  console.log(query.trim());
  if ((await ask(query)).length === 0) throw new Error('no rows');
}
const averages = [
  await ask("SELECT round(avg(value)) FROM logged WHERE path LIKE '%\\\\Bytes Total/sec'"),
  await ask("SELECT round(avg(bytes_per_second)) FROM lines WHERE counter = 'Bytes Total/sec'"),
  await ask("SELECT round(avg(value)) FROM 'samples.csv'"),
].map((rows) => Number(rows[0][0]));
console.log('averages', averages);
if (!(averages[0] > 0) || averages.some((one) => one !== averages[0])) throw new Error('the averages differ');
JS
node run.mjs

# pandas, if the package python3-pandas is installed
python=/usr/bin/python3
if "$python" -c 'import pandas' 2>/dev/null; then
    block python >recipes.py
    cat recipes.py
    cat >>recipes.py <<'PY'
totals = [c for c in log.columns if c.endswith("Bytes Total/sec")]
log_average = log[totals].stack().mean()
lines_average = samples[samples.counter == "Bytes Total/sec"].bytes_per_second.mean()
print("averages", log_average, lines_average)
assert len(minutes) > 1 and len(events) > 0 and abs(log_average - lines_average) < 1
PY
    "$python" recipes.py
else
    echo "pandas is missing: its recipe is not tested"
fi
