#!/usr/bin/env bash
# Looks for known vulnerabilities in the code that the program calls. VULNDB is the address of a database, such as
# file:///folder made with "go run ./tools/vulndb"; without it govulncheck asks vuln.go.dev.
set -uo pipefail
cd "$(dirname "$0")/.."
answer=$(go tool -modfile=tools/tools.mod govulncheck ${VULNDB:+-db "$VULNDB"} ./... 2>&1)
code=$?
printf '%s\n' "$answer"
if [ $code -ne 0 ] && grep -qE 'dial tcp|no such host|connection refused|deadline exceeded|Client.Timeout' <<<"$answer"; then
    echo "Nothing was checked: the database ${VULNDB:-https://vuln.go.dev} can't be reached. With a copy of github.com/golang/vulndb:"
    echo '  go run ./tools/vulndb COPY/data/osv /tmp/vulndb && VULNDB=file:///tmp/vulndb task vulnerabilities'
fi
exit $code
