package linuxhost

import "strings"

// messageMeaning says what a message of the drivers means, and how serious it is by the kernel's levels: the drivers write a lost link
// and a pulled module as information, and each line of a dump of the firmware as an error.
type messageMeaning struct {
	// has is a part of the message.
	has   string
	level int
	// means is empty for a message that says it itself.
	means string
}

const (
	levelError   = 3
	levelWarning = 4
	levelInfo    = 6
)

// messageMeanings are in the order in which they are tried.
var messageMeanings = []messageMeaning{
	{"device's health compromised", levelError, "the firmware no longer answers, and the driver begins its recovery: devlink health show"},
	{"health recovery flow aborted", levelError, "the recovery failed: reset the adapter, or turn the host off and on"},
	{"health recovery succeeded", levelInfo, "the adapter works again"},
	{"Fatal error ", levelError, "a sensor of the adapter sees a fault, and the driver begins its recovery"},
	{"Health issue observed", levelError, "the firmware saw a fault of its own: devlink health diagnose says more"},
	{": synd 0x", levelError, "the reason that the firmware gives for the fault"},
	{"assert_", levelInfo, ""},
	{"print_health_info", levelInfo, ""},
	{"timeout. Will cause a leak of a command resource", levelError, "the firmware did not answer a command in time"},
	{"TX timeout detected", levelWarning, "a send queue hangs, and the driver starts it again"},
	{"insufficient power", levelWarning, "the slot gives the adapter too little power: its modules may stay off"},
	{"High temperature", levelWarning, "the adapter or a module is too hot: look at the fans"},
	{"Port module event[error]", levelError, "the module does not work: it is defective, not supported or too hot"},
	{"Cable unplugged", levelWarning, "the module or the cable was pulled out"},
	{"Cable plugged", levelInfo, ""},
	{"Link down", levelWarning, ""},
	{"Link up", levelInfo, ""},
	{"CQ error", levelError, "a completion queue failed: its traffic has stopped"},
	{"failed with error", levelError, "the driver did not start this function"},
}

// explain raises or lowers the level of a message and adds what it means.
func (m *Message) explain() {
	for i := range messageMeanings {
		if known := &messageMeanings[i]; strings.Contains(m.Text, known.has) {
			m.Level = known.level
			if known.means != "" {
				m.Text += " (" + known.means + ")"
			}
			return
		}
	}
}
