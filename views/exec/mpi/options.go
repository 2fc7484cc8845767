package mpi

import (
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/views/exec"
)

// defaultPort is the port of smpd where none is given.
const defaultPort = 8677

// maxProcesses is the maximum number of hosts of a job.
const maxProcesses = 64

// job are the options of mpiexec.
type job struct {
	port  int
	hosts []netip.Addr
	// netmask is MPICH_NETMASK, invalid for none; noND and noSockets are MPICH_DISABLE_ND and MPICH_DISABLE_SOCK.
	netmask         netip.Prefix
	noND, noSockets bool
	// first is the first port of MPICH_PORT_RANGE, 0 for none.
	first   int
	program string
	words   []string // of the program
}

// readJob reads the arguments of mpiexec. files reads a file of hosts.
func readJob(words []string, read func(string) ([]byte, error)) (j job, err error) {
	j.port = defaultPort
	for i := 0; i < len(words); i++ {
		option := strings.ToLower(words[i])
		if !strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "/") {
			j.program, j.words = words[i], words[i+1:]
			return j, j.check()
		}
		value := func() (string, error) {
			if i++; i == len(words) {
				return "", exec.Mistake("mpiexec requires a value after %s", words[i-1])
			}
			return words[i], nil
		}
		var text string
		switch option = "-" + option[1:]; option {
		case "-affinity", "-a", "-lines", "-l":
		case "-p", "-port":
			if text, err = value(); err == nil {
				j.port, err = exec.Integer(text, "the port of smpd", 1, 65535)
			}
		case "-n", "-np", "-cores", "-c":
			if text, err = value(); err == nil {
				_, err = exec.Integer(text, "the number of processes", 1, 1<<16)
			}
		case "-hosts":
			i, err = j.readHosts(words, i+1)
		case "-machinefile":
			if text, err = value(); err == nil {
				err = j.readFile(text, read)
			}
		case "-env", "-genv":
			var name string
			if name, err = value(); err != nil {
				break
			}
			if text, err = value(); err == nil {
				err = j.setVariable(name, text)
			}
		default:
			err = exec.Mistake("mpiexec has no option %q; mpiexec without arguments lists the options", words[i])
		}
		if err != nil {
			return j, err
		}
	}
	return j, exec.Mistake("mpiexec requires a program, such as hostname or c:\\test1.exe")
}

// readHosts reads the number of hosts and their addresses, each with an optional number of processes.
func (j *job) readHosts(words []string, at int) (last int, err error) {
	if at == len(words) {
		return at, exec.Mistake("mpiexec requires the number of hosts and their addresses after -hosts")
	}
	count, err := exec.Integer(words[at], "the number of hosts", 1, maxProcesses)
	if err != nil {
		return at, err
	}
	for at++; at < len(words) && len(j.hosts) <= count; at++ {
		if _, err := strconv.Atoi(words[at]); err == nil && len(j.hosts) > 0 { // processes of the host before it
			continue
		}
		address, err := netip.ParseAddr(words[at])
		if err != nil {
			break
		}
		j.hosts = append(j.hosts, address)
	}
	if len(j.hosts) != count {
		return at, exec.Mistake("-hosts %d is followed by %d addresses", count, len(j.hosts))
	}
	return at - 1, nil
}

// readFile reads a file with a host on each line.
func (j *job) readFile(path string, read func(string) ([]byte, error)) error {
	data, err := read(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		address, err := netip.ParseAddr(fields[0])
		if err != nil {
			return exec.Mistake("%s has the line %q, which does not begin with the address of a host", path, strings.TrimSpace(line))
		}
		j.hosts = append(j.hosts, address)
	}
	return nil
}

// setVariable reads a variable of the environment that chooses the path.
func (j *job) setVariable(name, text string) (err error) {
	number := func(least, most int) (int, error) { return exec.Integer(text, name, least, most) }
	var n int
	switch strings.ToUpper(name) {
	case "MPICH_DISABLE_ND":
		n, err = number(0, 1)
		j.noND = n == 1
	case "MPICH_DISABLE_SOCK":
		n, err = number(0, 1)
		j.noSockets = n == 1
	case "MPICH_ND_ZCOPY_THRESHOLD":
		_, err = number(-1, 1<<30)
	case "MPICH_NETMASK":
		j.netmask, err = readMask(text)
	case "MPICH_PORT_RANGE":
		from, to, _ := strings.Cut(strings.ReplaceAll(text, "..", ","), ",")
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 1 || last < first || last > 65535 {
			return exec.Mistake("MPICH_PORT_RANGE must be two ports such as 3000,3030, not %q", text)
		}
		j.first = first
	default: // a variable of the program
	}
	return err
}

// readMask reads a network as ADDRESS/MASK or ADDRESS/BITS.
func readMask(text string) (netip.Prefix, error) {
	wrong := exec.Mistake("MPICH_NETMASK must be a network such as 11.0.0.0/255.0.0.0, not %q", text)
	network, mask, ok := strings.Cut(text, "/")
	address, err := netip.ParseAddr(network)
	if !ok || err != nil || address.Zone() != "" {
		return netip.Prefix{}, wrong
	}
	bits, err := strconv.Atoi(mask)
	if err != nil {
		dotted, err := netip.ParseAddr(mask)
		if err != nil || !dotted.Is4() || !address.Is4() {
			return netip.Prefix{}, wrong
		}
		n := uint32(0)
		for _, b := range dotted.As4() {
			n = n<<8 | uint32(b)
		}
		for bits = 0; bits < 32 && n>>(31-bits)&1 == 1; bits++ {
		}
		if n<<bits != 0 && bits < 32 {
			return netip.Prefix{}, exec.Mistake("%s is not a netmask", mask)
		}
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{}, wrong
	}
	return prefix, nil
}

func (j *job) check() error {
	if len(j.hosts) == 0 {
		return exec.Mistake("mpiexec requires the hosts: -hosts 2 10.7.0.10 10.7.0.21, or -machinefile FILE")
	}
	if len(j.hosts) > maxProcesses {
		return exec.Mistake("a job has at most %d hosts here", maxProcesses)
	}
	seen := map[netip.Addr]bool{}
	for _, h := range j.hosts {
		if seen[h] {
			return exec.Mistake("the host %s is named twice", h)
		}
		seen[h] = true
	}
	return nil
}
