package boot

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/driver/boot"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// dhcpServer implements netsh dhcp server [ADDRESS] add|delete scope, and scope NETWORK add|delete reservedip and
// set|delete reservedoptionvalue.
func dhcpServer(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	words := c.Arguments
	server := serverAddress
	if a, err := netip.ParseAddr(strings.TrimLeft(words[0], `\`)); err == nil {
		server, words = a, words[1:]
	}
	d := &s.DHCP
	what := ""
	switch verb := strings.ToLower(strings.Join(words[:min(2, len(words))], " ")); {
	case verb == "add scope":
		what, err = addScope(d, server, words[2:])
	case verb == "delete scope" && len(words) > 2:
		if err = checkScope(d, words[2]); err == nil {
			*d = boot.DHCP{VLAN: d.VLAN}
			what = "delete the scope"
		}
	case len(words) > 3 && strings.EqualFold(words[0], "scope"):
		if err = checkScope(d, words[1]); err == nil {
			what, err = changeScope(d, strings.ToLower(words[2]+" "+words[3]), words[4:])
		}
	default:
		err = exec.Mistake("netsh dhcp server takes add scope NETWORK MASK NAME, and scope NETWORK with add reservedip or set reservedoptionvalue")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(boot.Change{What: what, Line: typed(c), DHCP: d})
}

func addScope(d *boot.DHCP, server netip.Addr, words []string) (string, error) {
	if len(words) < 2 {
		return "", exec.Mistake("netsh dhcp server add scope requires NETWORK and MASK: add scope 11.4.12.0 255.255.255.0 Boot")
	}
	network, err := readAddress(words[0])
	if err != nil {
		return "", err
	}
	mask, err := netip.ParseAddr(words[1])
	if err != nil || !mask.Is4() {
		return "", exec.Mistake("%q is not a netmask", words[1])
	}
	bits, n := 0, uint32(0)
	for _, b := range mask.As4() {
		n = n<<8 | uint32(b)
	}
	for ; bits < 32 && n>>(31-bits)&1 == 1; bits++ {
	}
	scope := netip.PrefixFrom(network, bits)
	switch {
	case bits < 8 || bits > 30 || n<<bits != 0:
		return "", exec.Mistake("%s can't be the mask of a scope", mask)
	case scope != scope.Masked():
		return "", exec.Mistake("%s is not the network of %s", network, scope.Masked())
	case d.Scope.IsValid() && d.Scope != scope:
		return "", request.Errorf("the server has the scope %s already", d.Scope)
	}
	d.Address, d.Scope = server, scope
	return fmt.Sprintf("add the scope %s to the DHCP server %s", scope, server), nil
}

func checkScope(d *boot.DHCP, network string) error {
	if a, err := netip.ParseAddr(network); err != nil || !d.Scope.IsValid() || a != d.Scope.Addr() {
		return request.Errorf("the DHCP server has no such scope as %q", network)
	}
	return nil
}

// changeScope changes the reservations of the scope.
func changeScope(d *boot.DHCP, verb string, words []string) (what string, err error) {
	if len(words) == 0 {
		return "", exec.Mistake("an address is required after %s", verb)
	}
	address, err := readAddress(words[0])
	if err != nil {
		return "", err
	}
	list := slices.Clone(d.Reservations)
	at := slices.IndexFunc(list, func(r boot.Reservation) bool { return r.Address == address })
	switch {
	case verb == "add reservedip" && len(words) > 1:
		client := strings.ToLower(strings.NewReplacer(":", "", "-", "").Replace(words[1]))
		if at >= 0 && list[at].Client != client {
			return "", request.Errorf("there is a reservation of %s already", address)
		}
		if at < 0 {
			list = append(list, boot.Reservation{Address: address, Client: client})
		}
		what = fmt.Sprintf("reserve %s for %s", address, client)
	case at < 0:
		return "", request.Errorf("there is no such reservation as %s", address)
	case verb == "delete reservedip":
		list = slices.Delete(list, at, at+1)
		what = "delete the reservation of " + address.String()
	case verb == "set reservedoptionvalue" && len(words) > 3:
		what, err = setOption(&list[at], words[1:], false)
	case verb == "delete reservedoptionvalue" && len(words) > 1:
		what, err = setOption(&list[at], words[1:], true)
	default:
		return "", exec.Mistake("a scope takes add reservedip ADDRESS CLIENT, set reservedoptionvalue ADDRESS OPTION STRING VALUE, and delete for both")
	}
	d.Reservations = list
	if len(list) == 0 {
		d.Reservations = nil
	}
	return what, err
}

// setOption sets or removes an option of a reservation: OPTION STRING VALUE.
func setOption(r *boot.Reservation, words []string, remove bool) (string, error) {
	id, err := exec.Integer(strings.TrimLeft(words[0], "0"), "the number of an option", 1, 254)
	if err != nil {
		return "", err
	}
	options := slices.DeleteFunc(slices.Clone(r.Options), func(o boot.Option) bool { return o.ID == id })
	if remove {
		if len(options) == 0 {
			options = nil
		}
		r.Options = options
		return fmt.Sprintf("remove option %d of %s", id, r.Address), nil
	}
	if kind := strings.ToUpper(words[1]); kind != "STRING" && kind != "IPADDRESS" {
		return "", exec.Mistake("the kind of an option is STRING or IPADDRESS here, not %q", words[1])
	}
	options = append(options, boot.Option{ID: id, Value: words[2]})
	r.Options = options
	slices.SortFunc(r.Options, func(a, b boot.Option) int { return a.ID - b.ID })
	return fmt.Sprintf("set option %d of %s to %s", id, r.Address, words[2]), nil
}
