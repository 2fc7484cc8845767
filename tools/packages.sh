#!/usr/bin/env bash
# Makes a release twice, from two folders and with two build caches, compares the bytes, and installs, runs and removes the package
# for this machine where dpkg is present (as root; packages of the same name must not be installed).
set -euo pipefail
cd "$(dirname "$0")/.."
only="${1:-}"
commit=$(git rev-parse HEAD) # it may move while this runs
scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/copy" 2>/dev/null || true; rm -rf "$scratch"' EXIT
go run ./tools/release --only "$only" --out "$scratch/first" >"$scratch/first.sums"
git worktree add --detach "$scratch/copy" "$commit" >/dev/null 2>&1
(cd "$scratch/copy" && GOCACHE="$scratch/cache" go run ./tools/release --only "$only" --out "$scratch/second" >"$scratch/second.sums")
diff "$scratch/first.sums" "$scratch/second.sums"
(cd "$scratch/first" && sha256sum -c SHA256SUMS)
echo "both runs made the same bytes"

deb=$(ls "$scratch"/first/*_amd64.deb 2>/dev/null || true)
if [ -n "$deb" ] && command -v dpkg >/dev/null && [ "$(dpkg --print-architecture)" = amd64 ]; then
    dpkg -i "$deb"
    remove() { dpkg -r cxdeck; }
    trap 'remove; git worktree remove --force "$scratch/copy" 2>/dev/null || true; rm -rf "$scratch"' EXIT
    /usr/bin/cxdeck version --json | grep -q "\"commit\":\"$commit\""
    /usr/bin/cxdeck exec --ephemeral 'adapter list' | grep -q ConnectX
    for file in man/man1/cxdeck.1.gz bash-completion/completions/cxdeck zsh/vendor-completions/_cxdeck fish/vendor_completions.d/cxdeck.fish \
        cxdeck/cxdeck.ps1 doc/cxdeck/copyright; do
        dpkg -L cxdeck | grep -qx "/usr/share/$file" || { echo "the package has no $file"; exit 1; }
    done
    bash -c 'source /usr/share/bash-completion/completions/cxdeck && complete -p cxdeck' >/dev/null
    # The page is read from the package, because minimal systems install no manual pages.
    dpkg-deb --fsys-tarfile "$deb" | tar -xOf - ./usr/share/man/man1/cxdeck.1.gz | gzip -cd >"$scratch/cxdeck.1"
    grep -q '^.TH CXDECK 1' "$scratch/cxdeck.1"
    remove
    trap 'git worktree remove --force "$scratch/copy" 2>/dev/null || true; rm -rf "$scratch"' EXIT
    [ ! -e /usr/bin/cxdeck ]
    echo "the .deb was installed, run and removed"
fi
for rpm in "$scratch"/first/*.rpm; do
    command -v rpm >/dev/null && [ -e "$rpm" ] || continue
    rpm -qp --info "$rpm" 2>/dev/null | grep -E '^(Name|Version|Release|Architecture|License|Build Date)'
    rpm -qpl "$rpm" 2>/dev/null | grep -qx /usr/bin/cxdeck
    rpm -K --nosignature "$rpm"
done
