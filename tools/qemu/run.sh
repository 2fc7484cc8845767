#!/bin/sh
# Starts a machine under QEMU and runs the tests of this machine's settings in it, as root, on a kernel of Debian with igb, igbvf, e1000e,
# bonding, VLANs and RDMA over Ethernet. The first run fetches the kernel and busybox with apt; later runs need no network.
#   CXDECK_QEMU     the program; igb, with virtual functions, needs version 8 or later
#   CXDECK_MODULES  a folder with more modules of that kernel, such as netdevsim.ko, for devlink
#   CXDECK_KVM=1    uses /dev/kvm; without it the processor is emulated, which works everywhere
set -eu
cd "$(dirname "$0")/../.."
cache=${CXDECK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cxdeck-qemu}
qemu=${CXDECK_QEMU:-qemu-system-x86_64}
command -v "$qemu" >/dev/null || { echo "qemu-system-x86_64 is missing; install the package qemu-system-x86"; exit 1; }
mkdir -p "$cache"
if ! ls "$cache"/kernel/boot/vmlinuz-* >/dev/null 2>&1 || [ ! -x "$cache/busybox/bin/busybox" ]; then
	command -v apt-get >/dev/null || { echo "there is no kernel in $cache, and no apt-get to fetch one"; exit 1; }
	kernel=$(apt-cache depends linux-image-amd64 | awk '/Depends/ { print $2; exit }')
	(cd "$cache" && apt-get download "$kernel" busybox-static)
	rm -rf "$cache/kernel" "$cache/busybox"
	dpkg-deb -x "$cache"/linux-image-*.deb "$cache/kernel"
	dpkg-deb -x "$cache"/busybox-static*.deb "$cache/busybox"
	rm -f "$cache"/*.deb
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root/bin" "$root/modules" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/etc"

echo "Building the tests."
export CGO_ENABLED=0
for package in driver/linuxhost driver/linuxhost/apply perf/local; do
	go test -c -ldflags "-s -w" -o "$root/bin/$(echo "$package" | tr / -).test" "./$package"
	mkdir -p "$root/src/$package"
	[ ! -d "$package/testdata" ] || cp -r "$package/testdata" "$root/src/$package/"
done
go build -ldflags "-s -w" -o "$root/bin/cxdeck" .
cp "$cache/busybox/bin/busybox" "$root/bin/"

# The modules, each behind those that it needs.
folder=$(ls -d "$cache"/kernel/lib/modules/*)
list() {
	for wanted; do
		line=$(cd "$folder" && find kernel -name "$wanted.ko*" | head -1)
		[ -n "$line" ] || continue
		echo "$line"
		needs=$(modinfo -F depends "$folder/$line" | tr , ' ')
		[ -z "$needs" ] || list $needs
	done
}
modules=$(list crc32_generic rdma_rxe ib_uverbs igbvf igb e1000e bonding 8021q veth dummy psample virtio_pci | tac | awk '!seen[$0]++')
for module in $modules; do
	cp "$folder/$module" "$root/modules/"
	basename "$module" >>"$root/modules/order"
done
if [ -n "${CXDECK_MODULES:-}" ]; then
	for module in "$CXDECK_MODULES"/*.ko; do
		cp "$module" "$root/modules/"
		basename "$module" >>"$root/modules/order"
	done
fi

cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp CXDECK_MACHINE=1
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mount -t debugfs debug /sys/kernel/debug 2>/dev/null
mount -t tmpfs tmp /tmp
while read -r module; do
	insmod "/modules/$module" || echo "module $module failed"
done </modules/order
sleep 1
ip link set lo up
failed=0
for test in /bin/*.test; do
	folder=/src/$(basename "$test" .test | tr - /)
	echo "== $folder"
	(cd "$folder" && "$test" -test.v -test.run "$(cat /run-only)" -test.timeout 5m) || failed=1
done
cxdeck local || failed=1
echo "== result $failed"
poweroff -f
INIT
chmod +x "$root/init"
printf '%s' "${CXDECK_RUN:-.}" >"$root/run-only"
(cd "$root" && find . | "$root/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"

accel="-accel tcg"
[ "${CXDECK_KVM:-0}" = 0 ] || accel="-accel kvm"
port="-device e1000e,netdev=n0 -netdev hubport,id=n0,hubid=0"
if "$qemu" -device igb,help 2>&1 | grep -q '^igb options'; then
	port="$port -device pcie-root-port,id=root1,slot=1 -device igb,bus=root1,netdev=n1 -netdev hubport,id=n1,hubid=1"
	port="$port -device pcie-root-port,id=root2,slot=2 -device igb,bus=root2,netdev=n2 -netdev hubport,id=n2,hubid=1"
else
	echo "$("$qemu" --version | head -1) has no igb: the tests of virtual functions are left out."
	port="$port -device e1000e,netdev=n1 -netdev hubport,id=n1,hubid=0"
fi
begin=$(date +%s)
# shellcheck disable=SC2086
timeout "${CXDECK_TIMEOUT:-900}" "$qemu" $accel -M q35 -m 1024 -smp 2 -nographic -nodefaults -no-reboot -serial stdio \
	-kernel "$cache"/kernel/boot/vmlinuz-* -initrd "$work/initrd" -append "console=ttyS0 panic=-1 ${CXDECK_APPEND:-quiet loglevel=4}" $port </dev/null | tee "$work/log" | tr -d '\r'
echo "The machine ran for $(($(date +%s) - begin)) s."
grep -q "== result 0" "$work/log"
