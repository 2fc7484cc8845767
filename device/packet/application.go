package packet

import (
	"encoding/binary"
)

// Ports of protocols whose messages begin with a header.
const (
	dnsPort    = 53
	serverPort = 67 // DHCP
	clientPort = 68
	tlsPort    = 443
	smbPort    = 445
	winrmPort  = 5986 // over TLS
)

// preface appends the beginning of a payload of a number of bytes: the header of the protocol of a port number. Each
// TCP segment holds whole messages.
func (b *Builder) preface(p *packetOf, bytes int) {
	port := p.ends.DestinationPort
	if p.group.Sent {
		port = p.ends.SourcePort
	}
	switch {
	case (port == tlsPort || port == winrmPort) && bytes > 5:
		b.frame = append(b.frame, 23, 3, 3) // application data of TLS 1.2
		b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(bytes-5))
	case port == smbPort && bytes > 4: // a session message
		b.frame = append(b.frame, 0, byte(bytes>>16), byte(bytes>>8), byte(bytes))
		binary.BigEndian.PutUint16(b.frame[len(b.frame)-2:], uint16(bytes-4))
	case port == dnsPort && bytes >= dnsHeader+dnsQuestion+2 && bytes <= dnsHeader+dnsQuestion+maxName:
		b.name(p, bytes)
	}
}

// dnsHeader is the length of a message's header, dnsQuestion the length of a question without its name, in bytes.
const (
	dnsHeader   = 12
	dnsQuestion = 5   // the end of the name, type and class
	maxName     = 240 // of the name without its end
)

// name appends a query of the domain name system, or an answer without records, of a number of bytes: its name fills it.
func (b *Builder) name(p *packetOf, bytes int) {
	flags := uint16(0x0100) // recursion is desired
	if p.group.Sent {
		flags = 0x8183 // there is no such name
	}
	p.talk.sequence[0]++
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(p.talk.sequence[0]))
	b.frame = binary.BigEndian.AppendUint16(b.frame, flags)
	b.frame = append(b.frame, 0, 1, 0, 0, 0, 0, 0, 0)
	const longest = 40 // characters of a label
	for rest := bytes - dnsHeader - dnsQuestion; rest > 0; {
		label := min(rest-1, longest)
		if rest-1-label == 1 { // a label has a character at least
			label--
		}
		b.frame = append(b.frame, byte(label))
		for i := range label {
			b.frame = append(b.frame, 'a'+byte(i%26))
		}
		rest -= 1 + label
	}
	b.frame = append(b.frame, 0, 0, 1, 0, 1)
}

// lease appends a DHCP message (RFC 2131): the client's request, the server's answer.
func (b *Builder) lease(p *packetOf) {
	const request, reply, broadcastFlag, requested, acknowledged = 1, 2, 0x80, 3, 5
	g := p.group
	operation, message, flag := byte(reply), byte(acknowledged), byte(0)
	if g.Sent {
		operation, message = request, requested
	}
	if !g.Renewal {
		flag = broadcastFlag
	}
	client, server := p.talk.tuple.Destination.As4(), p.talk.tuple.Source.As4()
	b.frame = append(b.frame, operation, 1, 6, 0)
	p.talk.sequence[0]++
	b.frame = binary.BigEndian.AppendUint32(b.frame, p.talk.sequence[0])
	b.frame = append(b.frame, 0, 0, flag, 0)
	own, offered := client, client
	if !g.Renewal {
		own = [4]byte{}
	}
	if g.Sent {
		offered = [4]byte{}
	}
	b.frame = append(append(append(b.frame, own[:]...), offered[:]...), server[:]...)
	b.frame = append(b.frame, 0, 0, 0, 0)
	b.frame = append(b.frame, g.Host[:]...)
	b.zeros(10 + 64 + 128)
	b.frame = append(b.frame, 99, 130, 83, 99, 53, 1, message)
	if !g.Sent {
		b.frame = append(b.frame, 51, 4, 0, 0, 0x70, 0x80) // for 8 hours
		b.frame = append(append(b.frame, 54, 4), server[:]...)
	} else if !g.Renewal {
		b.frame = append(append(b.frame, 50, 4), client[:]...)
	}
	b.frame = append(b.frame, 255)
}
