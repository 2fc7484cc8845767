package linuxhost

import (
	"encoding/binary"
	"strconv"
)

// moduleFacts reads the identity and temperature of a transceiver from its memory: SFP (SFF-8472), QSFP (SFF-8636) or a module with
// CMIS. It returns none for other kinds and for cut memory.
func moduleFacts(memory []byte) []Fact {
	if len(memory) < 128 {
		return nil
	}
	var layout struct{ temperature, vendor, part, serial int }
	var kind string
	switch memory[0] {
	case 0x03, 0x0b:
		kind, layout.vendor, layout.part, layout.serial, layout.temperature = "SFP", 20, 40, 68, 256+96
		if memory[92]&0x40 == 0 { // no diagnostics
			layout.temperature = 0
		}
	case 0x0c, 0x0d, 0x11:
		kind, layout.vendor, layout.part, layout.serial, layout.temperature = "QSFP", 148, 168, 196, 22
	case 0x18, 0x19, 0x1e:
		kind, layout.vendor, layout.part, layout.serial, layout.temperature = "CMIS", 129, 148, 166, 14
	default:
		return nil
	}
	facts := []Fact{{"module", kind}}
	for _, text := range []struct {
		name string
		at   int
	}{{"module vendor", layout.vendor}, {"module part", layout.part}, {"module serial", layout.serial}} {
		const length = 16
		if text.at+length <= len(memory) {
			if value := clean(string(memory[text.at : text.at+length])); value != "" {
				facts = append(facts, Fact{text.name, value})
			}
		}
	}
	if at := layout.temperature; at > 0 && at+2 <= len(memory) {
		// A cable of copper has no sensor and reads 0.
		if raw := int16(binary.BigEndian.Uint16(memory[at:])); raw != 0 {
			facts = append(facts, Fact{"module temperature", strconv.FormatFloat(float64(raw)/256, 'f', 1, 64) + " °C"})
		}
	}
	return facts
}
