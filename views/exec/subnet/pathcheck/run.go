package pathcheck

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/netfile"
	"cxdeck/views/exec/subnet"
)

// Exit codes of the program.
const (
	unhealthy = 1 + iota
	invalidOption
	tooManyHops
	noRoute
	noTopology
)

// abort ends a run with an exit code.
type abort struct {
	code int
	text string
}

func (a abort) Error() string { return a.text }

// abortf returns an abort. Further lines of the text are indented.
func abortf(code int, format string, values ...any) error {
	return abort{code, fmt.Sprintf(format, values...)}
}

// run is a run of the program.
type run struct {
	*mad.Network
	given
	computer subnet.Computer
	at       infiniband.Place // the local port
	names    map[description.GUID]string
	errors   int
	out      strings.Builder
	result   subnet.Result
}

// Run runs ibdiagpath on a computer.
func Run(c subnet.Computer, arguments []string) subnet.Result {
	r := &run{Network: c.Network, computer: c}
	if err := r.run(arguments); err != nil {
		var end abort
		if !errors.As(err, &end) {
			end = abort{invalidOption, err.Error()}
		}
		r.result.Code = end.code
		r.printf("\n-E- %s\n", strings.ReplaceAll(end.text, "\n", "\n    "))
		if end.code != invalidOption {
			r.printf("    Aborting route tracing.\n")
		}
	} else if r.errors > 0 {
		r.result.Code = unhealthy
	}
	r.result.Output = r.out.String()
	r.result.Standard = r.result.Output
	if folder := r.values["-o"]; folder != "" {
		r.result.Files = append(r.result.Files, subnet.File{Name: strings.TrimRight(folder, "/") + "/ibdiagpath.log", Data: []byte(r.result.Output)})
	}
	return r.result
}

func (r *run) printf(format string, values ...any) { fmt.Fprintf(&r.out, format, values...) }

// info, warn and fault print a line of a kind; a fault makes the path unhealthy.
func (r *run) info(format string, values ...any) { r.printf("-I- "+format+"\n", values...) }
func (r *run) warn(format string, values ...any) { r.printf("-W- "+format+"\n", values...) }
func (r *run) fault(format string, values ...any) {
	r.errors++
	r.printf("-E- "+format+"\n", values...)
}

// title begins a part of the report.
func (r *run) title(text string) {
	const rule = "-I---------------------------------------------------\n"
	r.printf("\n%s-I- %s\n%s", rule, text, rule)
}

func (r *run) run(arguments []string) error {
	g, err := parse(arguments, r.computer.Environment)
	if err != nil {
		return abortf(invalidOption, "Illegal argument: %s", err)
	}
	r.given = *g
	switch {
	case r.has("-h"):
		r.printf("%s", Usage())
		return nil
	case r.has("-V"):
		r.printf("ibdiagpath 1.5.7\n")
		return nil
	case r.has("--vars"):
		for _, o := range options {
			if o.variable != "" {
				r.printf("%s=%s\n", o.variable, r.computer.Environment[o.variable])
			}
		}
		return nil
	}
	if err := r.attach(); err != nil {
		return err
	}
	topology, err := r.topology()
	if err != nil {
		return err
	}
	if len(r.given.names) > 0 {
		if err := r.resolveNames(topology); err != nil {
			return err
		}
	}
	r.info("Using port %d as the local port.", r.at.Port)
	path, err := r.path()
	if err != nil {
		return err
	}
	r.checks(path)
	r.printf("\n-I- Done. Run time was 0 seconds.\n")
	return nil
}

// attach chooses the local port: the named one, the first of the directed route, or the first with a link, an active one before others.
func (r *run) attach() error {
	adapters := r.computer.Adapters
	if device := r.values["-i"]; device != "" {
		at := slices.IndexFunc(adapters, func(a subnet.Adapter) bool { return a.Name == device })
		if index, err := strconv.Atoi(device); err == nil && index >= 0 && index < len(adapters) {
			at = index
		}
		if at < 0 {
			return abortf(invalidOption, "Illegal argument: -i: this host has no InfiniBand device %q", device)
		}
		adapters = adapters[at : at+1]
	}
	wanted, _ := strconv.Atoi(r.values["-p"])
	if wanted == 0 && len(r.ports) > 0 {
		wanted = int(r.ports[0])
	}
	best, found := infiniband.Nowhere, infiniband.State(0)
	for _, a := range adapters {
		node := &r.Nodes[a.Node]
		for p := node.First(); p < len(node.Ports); p++ {
			if (wanted == 0 || wanted == p) && node.Ports[p].State > found {
				best, found = infiniband.Place{Node: a.Node, Port: p}, node.Ports[p].State
			}
		}
	}
	switch {
	case best == infiniband.Nowhere:
		return abortf(invalidOption, "Illegal argument: this host has no InfiniBand port %d", wanted)
	case found == infiniband.Down:
		return abortf(noRoute, "Port %d of the local device is DOWN.", best.Port)
	}
	r.at = best
	return nil
}

// topology reads the topology file, whose names stand for the nodes in the report.
func (r *run) topology() (string, error) {
	file := r.values["-t"]
	if file == "" {
		r.printf("-W- Topology file is not specified.\n    Reports regarding cluster links will use the nodes' descriptions.\n")
		return "", nil
	}
	data, err := []byte(nil), errors.New("no files")
	if r.computer.Read != nil {
		data, err = r.computer.Read(file)
	}
	if err != nil {
		return "", abortf(noTopology, "Failed to read the topology file %s.", file)
	}
	text := string(data)
	if r.names = netfile.Names(text); len(r.names) == 0 {
		return "", abortf(noTopology, "The topology file %s has no node.", file)
	}
	if system := r.values["-s"]; system != "" {
		guid, ok := netfile.Find(text, system)
		switch local := r.Of(r.at).GUID; {
		case !ok:
			return "", abortf(noTopology, "The topology file %s has no system %s.", file, system)
		case guid != local:
			return "", abortf(noTopology, "The system %s of %s is the node 0x%016x, and this host is 0x%016x.", system, file, uint64(guid), uint64(local))
		}
	}
	return text, nil
}

// resolveNames finds the LIDs of named ports: NAME/P2 is port 2 of a node, NAME its first port with a LID.
func (r *run) resolveNames(topology string) error {
	nodes := r.discover()
	for _, name := range r.given.names {
		system, port := name, 0
		if at := strings.LastIndex(name, "/P"); at > 0 {
			if n, err := strconv.Atoi(name[at+2:]); err == nil {
				system, port = name[:at], n
			}
		}
		guid, ok := netfile.Find(topology, system)
		if !ok {
			return abortf(noTopology, "The topology file has no node %s.", system)
		}
		lid := uint16(0)
		for _, n := range nodes {
			if n.guid == uint64(guid) && (port == 0 || n.port == port || n.kind == kindSwitch) {
				lid = uint16(n.lid)
				break
			}
		}
		if lid == 0 {
			return abortf(noTopology, "The discovered subnet has no port with a LID for the name %s of the topology file.", name)
		}
		r.lids = append(r.lids, lid)
	}
	r.info("Obtaining source and destination LIDs:")
	if len(r.lids) == 1 {
		r.printf("    %s \tLID=%d\n", r.name(r.node(mad.Directed())), r.End(r.at).LID)
	}
	for i, name := range r.given.names {
		r.printf("    %s \tLID=%d\n", name, r.lids[i])
	}
	return nil
}
