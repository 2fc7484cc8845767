package registry

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
)

// The values of roce_mode (ROCE-1).
const (
	RoCEv1 = 0 // addressed by MAC
	RoCEv2 = 2 // over UDP
	NoRoCE = 4
	RoCEIP = 5 // addressed by IP, called v1.25; WinOF alone
)

// Device ids of the WinOF cards (FAM-2).
const (
	connectX3    = 0x1003
	connectX3Pro = 0x1007
)

// SupportedRoCE returns the mode that a card uses when a mode is requested. A WinOF card uses the highest mode of its firmware
// if the firmware lacks the requested one (ROCE-5). A WinOF-2 card uses the requested mode, and v2 instead of a mode that its
// family lacks.
func SupportedRoCE(family description.Family, deviceID uint16, firmware string, requested uint32) uint32 {
	if family != description.WinOF {
		if requested == RoCEv1 || requested == NoRoCE {
			return requested
		}
		return RoCEv2
	}
	order := []uint32{RoCEv1, RoCEIP, RoCEv2}
	highest := uint32(RoCEIP)
	switch {
	case firmware == "": // unknown: assume that it supports the mode
		return requested
	case olderFirmware(firmware, "2.30.3000"):
		return NoRoCE
	case deviceID == connectX3Pro && !olderFirmware(firmware, "2.31.5050"):
		highest = RoCEv2
	}
	if slices.Index(order, requested) > slices.Index(order, highest) {
		return highest
	}
	return requested
}

// RoCEOfPowerShell returns the mode for a RoceMode parameter of Set-MlnxDriverCoreSetting, which has numbers of its own: 0 off,
// 1 v1, 2 v2 (ROCE-1). It is false for other numbers.
func RoCEOfPowerShell(parameter int) (uint32, bool) {
	mode, ok := map[int]uint32{0: NoRoCE, 1: RoCEv1, 2: RoCEv2}[parameter]
	return mode, ok
}

// RoCEInPowerShell returns the number that Get-MlnxDriverCoreSetting shows for a mode. It has no number for v1 addressed by IP,
// the highest mode of a ConnectX-3, and shows 0, as in the manual's example (seed 002, line 2351).
func RoCEInPowerShell(mode uint32) int {
	switch mode {
	case RoCEv1:
		return 1
	case RoCEv2:
		return 2
	}
	return 0
}

// InstalledRoCE returns the mode after an installation of a driver version: v2 for a new installation of WinOF 5.22 or WinOF-2
// 1.30 and later, v1 for a new installation of earlier ones; an upgrade keeps the previous mode (ROCE-4).
func InstalledRoCE(family description.Family, major, minor int, previous Value) uint32 {
	if previous.Type() == Number {
		return previous.Number()
	}
	first := [2]int{5, 22}
	if family == description.WinOF2 {
		first = [2]int{1, 30}
	}
	if slices.Compare([]int{major, minor}, first[:]) < 0 {
		return RoCEv1
	}
	return RoCEv2
}

// PreferredRoCE returns the mode of an adapter: its own key if the family has one and it exists, else the driver's key, else v2
// (ROCE-2).
func PreferredRoCE(family description.Family, adapter, driver Value) uint32 {
	switch {
	case family == description.WinOF2 && adapter.Type() == Number:
		return adapter.Number()
	case driver.Type() == Number:
		return driver.Number()
	}
	return RoCEv2
}

// olderFirmware reports whether a version of numbers between dots is before another.
func olderFirmware(version, than string) bool {
	a, ok1 := versionNumbers(version)
	b, ok2 := versionNumbers(than)
	return ok1 && ok2 && slices.Compare(a, b) < 0
}

func versionNumbers(version string) (list []int, ok bool) {
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}
