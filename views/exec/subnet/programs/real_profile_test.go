package programs

import (
	"encoding/hex"

	"cxdeck/device/infiniband/mad"
)

// attribute reads an attribute in the form of smpdump.
func attribute(text string) (data [mad.Size]byte) {
	if n, err := hex.Decode(data[:], []byte(text)); err != nil || n != mad.Size {
		panic("subnet: a template has an error")
	}
	return data
}

// simulatorProfile returns what the nodes of the simulator answer, after OpenSM has configured them.
func simulatorProfile() mad.Profile {
	weights := func(first, others uint8) []mad.Weight {
		var w []mad.Weight
		for lane := range uint8(8) {
			w = append(w, mad.Weight{Lane: lane, Weight: others})
		}
		w[0].Weight = first
		return w
	}
	const zeros, tail = "0000000000000000", "00000000"
	return mad.Profile{
		Management:  attribute(zeros + "fe80000000000000" + "00000000" + "0000c048" + "00000ff9" + "00021f02" + "74520011" + "10400008" + "08030040" + tail + "0000011f" + "08000000" + tail + "00300000"),
		SwitchUp:    attribute(zeros + zeros + zeros + "00000000" + "00031f02" + "74520047" + "40400008" + "0804f040" + tail + tail + tail + tail + "00001701"),
		SwitchDown:  attribute(zeros + zeros + zeros + "00000000" + "00021f02" + "71220011" + "40400008" + "0804e040" + tail + "00000000" + "00400000" + tail + "00000000"),
		AdapterUp:   attribute(zeros + "fe80000000000000" + "00000000" + "0050c048" + "00000ff9" + "01031f02" + "74520047" + "40400008" + "0804e040" + tail + "0000201f" + tail + tail + "00301701"),
		AdapterDown: attribute(zeros + "fe80000000000000" + "00000000" + "0010c048" + "00000ff9" + "01021f02" + "71220011" + "40400008" + "0804e010" + tail + "0000201f" + tail + tail + "00300000"),
		Switch:      attribute("7800000004000000" + "0000009000000040" + "30000000" + "00000000" + zeros + zeros + zeros + zeros + zeros),
		AdapterKeys: 64, SwitchKeys: 8, Revision: 0xa1, Constant: true,
		SLToVL: [8]byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xe7}, High: weights(4, 0), Low: weights(0, 4),
		AdapterCounters: mad.ExtendedWidth | mad.SendWait, SwitchCounters: mad.AllPorts | mad.ExtendedWidth | mad.SendWait,
	}
}
