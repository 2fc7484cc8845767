package mpi

import (
	"fmt"
	"io"
	"net/netip"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/mpi"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// startDaemon starts smpd on this host: smpd -d -p PORT.
func startDaemon(c *exec.Call) (exec.Answer, error) {
	port, debug := defaultPort, false
	for i := 0; i < len(c.Arguments); i++ {
		switch option := strings.ToLower(c.Arguments[i]); option {
		case "-d":
			debug = true
		case "-p", "-port":
			if i++; i == len(c.Arguments) {
				return exec.Answer{}, exec.Mistake("smpd requires a port after %s", option)
			}
			var err error
			if port, err = exec.Integer(c.Arguments[i], "the port of smpd", 1, 65535); err != nil {
				return exec.Answer{}, err
			}
		default:
			return exec.Answer{}, exec.Mistake("smpd takes -d and -p PORT, not %q", c.Arguments[i])
		}
	}
	if !debug {
		return exec.Answer{}, exec.Mistake("smpd requires -d: the lab has no service of MPI")
	}
	return c.ApplyOne(mpi.SetHost{Port: &port})
}

// hostRow is a host of the cluster as JSON.
type hostRow struct {
	Address string `json:"address"`
	Here    bool   `json:"this_host"`
	Pack    string `json:"hpc_pack"`
	Port    int    `json:"smpd_port,omitempty"`
	// Provider reports that MPI can use Network Direct.
	Provider bool `json:"provider"`
	host     mpi.Host
}

// rowOf returns the state of a host by one of its addresses.
func rowOf(h *driver.Host, path *exec.Path) hostRow {
	state := h.MPI()
	row := hostRow{Address: path.Peer.String(), Here: path.Local == path.Peer}
	if row.Here {
		row.Address = path.Local.String()
		row.host = state.Find(netip.Addr{})
		row.Provider = h.Stack().WhyNoTest(path.Port, path.Local, true) == ""
	} else {
		row.host = state.Find(path.Peer)
		row.Provider = !row.host.NoProvider
	}
	row.Pack, row.Port = row.host.Version(), row.host.Port
	return row
}

// listHosts lists this host, and the peers that are not as new ones.
func listHosts(c *exec.Call) (exec.Answer, error) {
	rows := []hostRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		state := h.MPI()
		here := state.Find(netip.Addr{})
		providers := false
		for _, p := range stack.Providers() {
			providers = providers || h.Stack().HasProvider(p.Name)
		}
		rows = append(rows, hostRow{h.View().Name, true, here.Version(), here.Port, providers, here})
		for _, other := range state.Hosts {
			if other.Address.IsValid() {
				rows = append(rows, hostRow{other.Address.String(), false, other.Version(), other.Port, !other.NoProvider, other})
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Hosts []hostRow `json:"hosts"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "HOST", "HPC PACK", "SMPD", "PROVIDER")
			for _, row := range rows {
				daemon := "not running"
				if row.Port > 0 {
					daemon = fmt.Sprintf("port %d", row.Port)
				}
				t.Row(row.Address, row.Pack, daemon, map[bool]string{true: "installed", false: "missing"}[row.Provider])
			}
			return t.Flush()
		},
	}, err
}

// setHost changes a peer: mpi host ADDRESS smpd=PORT|off pack=VERSION provider=on|off. Its work at the peer has no line on this host.
func setHost(c *exec.Call) (exec.Answer, error) {
	address, err := netip.ParseAddr(c.Arguments[0])
	if err != nil {
		return exec.Answer{}, exec.Mistake("%q is not the address of a peer", c.Arguments[0])
	}
	change := mpi.SetHost{Address: address}
	for _, word := range c.Arguments[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(name) {
		case "smpd":
			port := 0
			if !strings.EqualFold(value, "off") {
				if port, err = exec.Integer(value, "the port of smpd", 1, 65535); err != nil {
					return exec.Answer{}, err
				}
			}
			change.Port = &port
		case "pack":
			if value == "" {
				return exec.Answer{}, exec.Mistake("pack requires a version, such as %s", mpi.DefaultPack)
			}
			change.Pack = &value
		case "provider":
			if value != "on" && value != "off" {
				return exec.Answer{}, exec.Mistake("provider must be on or off, not %q", value)
			}
			change.Provider = new(value == "on")
		default:
			return exec.Answer{}, exec.Mistake("a host has smpd, pack and provider, not %q", word)
		}
	}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		path, err := exec.FindPath(h, address)
		if err == nil && path.Local == path.Peer {
			err = exec.Mistake("%s is an address of this host: use smpd, taskkill and ndinstall", address)
		}
		return err
	}); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(change)
}
