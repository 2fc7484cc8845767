package ibsim

import (
	"bytes"
	"encoding/binary"
	"errors"

	"cxdeck/device/infiniband/agent"
)

// Sizes of the two messages of the protocol: a control message, and a datagram with its envelope. Their integers are the machine's own
// unless the protocol says otherwise.
const (
	controlSize = 80
	requestSize = 288
	controlData = 64
	nameSize    = 32
	madAt       = 32
)

// magic marks control messages.
const magic = 0xdeadbeef

// Types of control messages.
const (
	controlError = iota
	controlConnect
	controlDisconnect
	controlPort
	controlVendor
	controlGID
	controlGUID
	controlNodeInfo
	controlPortInfo
	controlSetManager
	controlKeys
)

var errMessage = errors.New("invalid message")

// control is a control message.
type control struct {
	client, kind uint32
	data         [controlData]byte
}

// readControl reads a control message.
func readControl(message []byte) (control, error) {
	var c control
	if len(message) != controlSize || binary.NativeEndian.Uint32(message) != magic {
		return c, errMessage
	}
	c.client, c.kind = binary.NativeEndian.Uint32(message[4:]), binary.NativeEndian.Uint32(message[8:])
	copy(c.data[:], message[16:])
	return c, nil
}

// bytes writes the answer to a control message.
func (c *control) bytes() []byte {
	message := make([]byte, controlSize)
	for i, value := range []uint32{magic, c.client, c.kind, controlData} {
		binary.NativeEndian.PutUint32(message[4*i:], value)
	}
	copy(message[16:], c.data[:])
	return message
}

// connection is the data of a request to connect: the process, the node that it runs on, and whether it is a subnet manager.
type connection struct {
	process uint32
	manager bool
	node    string
}

func readConnection(data [controlData]byte) connection {
	name, _, _ := bytes.Cut(data[12:12+nameSize], []byte{0})
	return connection{binary.NativeEndian.Uint32(data[:]), binary.NativeEndian.Uint32(data[8:]) != 0, string(name)}
}

// datagram is a datagram with its envelope.
type datagram struct {
	target uint16 // LID
	packet []byte
	raw    [requestSize]byte
}

// readDatagram reads a datagram with its envelope.
func readDatagram(message []byte) (*datagram, error) {
	if len(message) != requestSize || binary.BigEndian.Uint64(message[24:]) > agent.Size {
		return nil, errMessage
	}
	r := &datagram{target: binary.BigEndian.Uint16(message)}
	copy(r.raw[:], message)
	r.packet = r.raw[madAt:]
	return r, nil
}

// timedOut is the error number that a sender gets when no answer came.
const timedOut = 110

// lost returns the message back to the sender of a datagram without an answer.
func (r *datagram) lost() []byte {
	binary.BigEndian.PutUint32(r.raw[16:], timedOut)
	return r.raw[:]
}

// answered returns the message with an answer, from the port that was asked; source is the sender's LID.
func (r *datagram) answered(source uint16, packet []byte) []byte {
	message := bytes.Clone(r.raw[:])
	clear(message[:4])
	binary.BigEndian.PutUint16(message, source)
	copy(message[4:8], r.raw[:4])
	copy(message[8:12], r.raw[12:16])
	copy(message[12:16], r.raw[8:12])
	clear(message[16:20])
	binary.BigEndian.PutUint64(message[24:], uint64(len(packet)))
	clear(message[madAt:])
	copy(message[madAt:], packet)
	return message
}
