package sriov

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/ui"
)

// The registry keys that restrict and monitor virtual functions.
const (
	keyListOn      = "VFAllowedTxEtherTypeListEnable"
	keyType        = "VFAllowedTxEtherType" // followed by a number from 0
	keyDHCP        = "RedirectVfDHCPToPF"
	keyMonitor     = "VfCpuMonEnable"
	keyPeriod      = "VfCpuMonBatchPeriodSec"
	keyMaxUse      = "VfCpuMonFwCpuUsageMax"
	keyMaxErrors   = "VfCpuMonErrors2FwMax"
	keyPages       = "MaxFWPagesUsagePerVF"
	keySRIOV       = "*SRIOV"
	keyPermit      = "bus-driver/PermitSriov" // for all WinOF cards; it overrides the key of a card (IOV-1)
	keyPermitCard  = "bus-device/PermitSriov"
	keyVPorts      = "*RssOnHostVPorts"
	keyPreference  = "*RssOrVmqPreference"
	etherTypeSlots = 8
)

// policyKeys returns the names of all these keys.
func policyKeys() []string {
	keys := []string{keyListOn, keyDHCP, keyMonitor, keyPeriod, keyMaxUse, keyMaxErrors, keyPages, keySRIOV,
		keyPermit, keyPermitCard, keyVPorts, keyPreference}
	for slot := range etherTypeSlots {
		keys = append(keys, keyType+strconv.Itoa(slot))
	}
	return keys
}

// policy holds the values of these keys for one port, as text. A key that the driver lacks, or that has no value, is
// absent from stored.
type policy struct {
	stored, defaults map[string]string
	known            map[string]bool
}

// text returns the effective value: the stored one, else the default; empty if there is neither.
func (k policy) text(key string) string {
	if s, ok := k.stored[key]; ok {
		return s
	}
	return k.defaults[key]
}

// number returns the effective value as a number, 0 if there is none.
func (k policy) number(key string) int {
	n, _ := strconv.ParseInt(k.text(key), 0, 64)
	return int(n)
}

// types returns the Ethertypes that functions may send: the stored list, else the driver's default (IOV-8).
func (k policy) types() (list []uint16, own bool) {
	for slot := range etherTypeSlots {
		if s, ok := k.stored[keyType+strconv.Itoa(slot)]; ok {
			if n, err := strconv.ParseUint(s, 0, 16); err == nil {
				list, own = append(list, uint16(n)), true
			}
		}
	}
	if !own {
		list = hyperv.DefaultTypes()
	}
	return list, own
}

// typesText returns the allowed types as words.
func (k policy) typesText() string {
	if k.text(keyListOn) == "0" {
		return "all; the list is off"
	}
	list, own := k.types()
	var words []string
	for _, t := range list {
		words = append(words, hyperv.EtherTypeName(t))
	}
	if !own {
		return strings.Join(words, ", ") + " (the driver's list)"
	}
	return strings.Join(words, ", ")
}

func (k policy) monitorText() string {
	switch {
	case k.number(keyMonitor) == 0:
		return "off; w, Monitor sets thresholds"
	case k.number(keyPeriod) == 0:
		return "on, but without a period nothing is read; w, Monitor sets one"
	}
	orAny := func(key string) string {
		if s := k.text(key); s != "" {
			return s
		}
		return "any"
	}
	return fmt.Sprintf("every %s s, FW CPU above %s%%, errors above %s", orAny(keyPeriod), orAny(keyMaxUse),
		orAny(keyMaxErrors))
}

// hostVPorts reports whether VMMQ is enabled in the driver of a port; by default it is (VIRT-3).
func (k policy) hostVPorts() bool { return k.text(keyVPorts) != "0" }

func (k policy) pagesWord() string {
	if n := k.number(keyPages); n > 0 {
		return fmt.Sprintf("%d of 4 KB a VF", n)
	}
	return "no limit"
}

// policiesMsg carries the stored values of all ports; then is the action that waits for them.
type policiesMsg struct {
	policies map[string]policy
	err      error
	then     func() ui.Cmd
}

// readPolicies reads the stored values of all ports in the background, and then calls then, which may be nil.
func (v *View) readPolicies(then func() ui.Cmd) ui.Cmd {
	m := v.deck.Monitor()
	if m == nil || !m.Readable() || v.scene.host == nil {
		return nil
	}
	names := v.scene.connections()
	return ui.Background("Read what virtual functions may do", func(ctx context.Context) ui.Msg {
		msg := policiesMsg{then: then}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) error {
			msg.policies = readPolicies(h, names)
			return nil
		})
		return msg
	})
}

// connections returns the connections of the ports, in the order of their cards.
func (s *scene) connections() (names []string) {
	for _, p := range s.order {
		names = append(names, p.Description.Connection)
	}
	return names
}

// readPolicies reads the stored values of ports.
func readPolicies(h *driver.Host, connections []string) map[string]policy {
	policies := map[string]policy{}
	for _, name := range connections {
		k := policy{stored: map[string]string{}, defaults: map[string]string{}, known: map[string]bool{}}
		for _, key := range policyKeys() {
			stored, err := h.Key(name, key)
			if err != nil {
				continue // the driver lacks the key
			}
			k.known[key] = true
			if stored.Stored.Exists() {
				k.stored[key] = stored.Stored.String()
			}
			if stored.Default.Exists() {
				k.defaults[key] = stored.Default.String()
			}
		}
		policies[name] = k
	}
	return policies
}

// openPolicy stores the values of readPolicies and runs the waiting action.
func (v *View) openPolicy(msg policiesMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Failure, "The keys of the ports can't be read: "+msg.err.Error())
	}
	v.policies, v.Page.Stale = msg.policies, true
	if msg.then == nil {
		return nil
	}
	return msg.then()
}

// set returns the Operation that sets a key of a port to a value; an empty value deletes the key. ok is false if the value
// is stored already.
func (k policy) set(connection, key, value string) (o driver.Operation, ok bool) {
	stored, there := k.stored[key]
	switch {
	case !k.known[key], there && stored == value, !there && value == "":
		return nil, false
	case value == "":
		return edit.DeleteValue{Connection: connection, Key: key}, true
	default:
		return edit.SetValue{Connection: connection, Key: key, Value: value}, true
	}
}
