package driver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/intent"
	"cxdeck/driver/journal"
	"cxdeck/driver/mpi"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/programs"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// The format of a saved host, and its maximum size in bytes.
const (
	savedVersion = 1
	maxSavedSize = 256 << 20
)

// maxPrepared limits the values of a registry for which memory is prepared before they are read.
const maxPrepared = 10_000

// savedHost is the saved form of a host.
type savedHost struct {
	Version   int               `json:"version"`
	Lab       []byte            `json:"lab"`
	Registry  []registry.Stored `json:"registry"`
	Miniports []savedMiniport   `json:"miniports"`
	Sequence  uint64            `json:"sequence"`
	Events    []eventlog.Event  `json:"events"`
	Journal   []json.RawMessage `json:"journal"`
	// Management is the connection of the operator's own session, empty for none; hosts saved by versions without it use the
	// connection of their description.
	Management *string `json:"management,omitempty"`
	// Partitions are the virtual ports of IPoIB.
	Partitions []fabric.SavedPartition `json:"partitions,omitempty"`
	// Teams are in the order of creation; PortVLANs are VLANs of single ports. Drawn is the number of GUIDs drawn from the
	// seed.
	Teams     []teams.Saved     `json:"teams,omitempty"`
	PortVLANs []teams.SavedPort `json:"port_vlans,omitempty"`
	Drawn     int               `json:"drawn_guids,omitempty"`
	// Virtual is the state of Hyper-V, the BIOS and the settings of cards; nil in hosts of versions without it.
	Virtual *virtualization.State `json:"virtual,omitempty"`
	// QoS is the state of quality of service; nil in hosts of versions without it.
	QoS *qos.State `json:"qos,omitempty"`
	// Stack is the network stack; hosts that were saved without it get the stack of a new Windows.
	Stack stack.State `json:"stack,omitzero"`
	// MPI are the hosts of a cluster that differ from new ones.
	MPI mpi.State `json:"mpi,omitzero"`
	// State are the programs; none in hosts of versions without them.
	programs.State
	// Boot is the boot over the network with its servers.
	Boot boot.State `json:"network_boot,omitzero"`
	// Power is the power state.
	Power power.State `json:"power,omitzero"`
	// Dumps are the files that the drivers have written; none in hosts of versions without them.
	Dumps dump.State `json:"dumps,omitzero"`
	// Healing is the state of self-healing; nil in hosts of versions without it.
	Healing *healing.State `json:"healing,omitempty"`
	// Flash holds the firmware images of the cards that were burnt.
	Flash flash.State `json:"flash,omitzero"`
	// Packages holds the driver packages that a setup program has changed.
	Packages packages.State `json:"packages,omitzero"`
	// Intent is the stored intent; nil for none, and in hosts of versions without it.
	Intent *intent.Kept `json:"intent,omitempty"`
	// Guard is the change that waits for a confirmation.
	Guard *Guard `json:"unconfirmed,omitempty"`
}

type savedMiniport struct {
	State AdapterState  `json:"state"`
	Due   time.Duration `json:"due_ns"`
	// Start is the kind of start in progress if it is more than a restart of the adapter.
	Start registry.EffectTime `json:"start,omitempty"`
	// Hang is when stuck send queues are found, in hosts of versions without Healing.
	Hang time.Duration `json:"hang_ns,omitempty"`
	// Lost is the time at which its link was lost, 0 while it is up.
	Lost time.Duration `json:"lost_ns,omitempty"`
	Code int           `json:"code,omitempty"`
	// Functions is the number of open virtual functions.
	Functions int `json:"functions,omitempty"`
	// Watch is the driver's periodic check of its virtual functions.
	Watch *virtualization.FunctionWatch `json:"watch,omitempty"`
	// Waiting are the readings that differ from what the driver would read now.
	Waiting []savedReading `json:"waiting,omitempty"`
}

type savedReading struct {
	Scope  registry.Scope `json:"scope"`
	Name   string         `json:"name"`
	Stored registry.Value `json:"stored"`
	Value  registry.Value `json:"value"`
	Why    string         `json:"why,omitempty"`
}

// Save encodes the state of the hardware, the registry and the drivers, the newest 1000 events and 1000 entries of the journal.
// It can be restored only with the same description of the lab.
func (h *Host) Save() ([]byte, error) {
	saved := h.saveSoftware()
	saved.Events = h.events.Save()
	var err error
	if saved.Lab, err = h.lab.Save(); err != nil {
		return nil, fmt.Errorf("save the lab: %w", err)
	}
	if saved.Journal, err = h.journal.Save(); err != nil {
		return nil, err
	}
	return json.Marshal(saved)
}

// saveSoftware returns the state of a host without its hardware, its events and its journal.
func (h *Host) saveSoftware() *savedHost {
	saved := &savedHost{
		Version: savedVersion, Registry: h.hive.All(), Sequence: h.events.Last(),
		Miniports: make([]savedMiniport, len(h.miniports)), Management: new(h.Management()),
		Partitions: h.fabric.Save(), Teams: h.teamSet().Save(), PortVLANs: h.teamSet().SavePorts(), Drawn: h.drawn,
		Virtual: h.virtual, QoS: &h.qos, Stack: h.stack, MPI: h.mpi, Boot: h.boot, Power: h.power, State: h.programs, Dumps: h.dumps, Healing: &h.healing, Flash: h.flash, Packages: h.packages, Intent: h.intent,
	}
	if h.guard.Sequence != 0 {
		saved.Guard = &h.guard
	}
	for port, m := range h.miniports {
		saved.Miniports[port] = savedMiniport{m.state, m.due, m.start, 0, m.lost, m.code, m.functions, nil, h.waiting(port)}
		if m.watch.Due > 0 {
			saved.Miniports[port].Watch = &m.watch
		}
	}
	return saved
}

// waiting returns the readings of a port's driver that differ from what it would read now.
func (h *Host) waiting(port int) (list []savedReading) {
	now := h.readRegistry(port)
	effective := h.miniports[port].effective
	for i := range h.catalogue(port).Rows {
		r := &h.catalogue(port).Rows[i]
		if was := effective.Reading(r); was != now.Reading(r) {
			list = append(list, savedReading{r.Scope, r.Name, was.Stored, was.Value, was.Why})
		}
	}
	return list
}

// RestoreHost returns a host that continues where Save was called; see RestoreOn.
func RestoreHost(d *description.Description, data []byte) (*Host, error) {
	plant, err := device.NewPlant(d)
	if err != nil {
		return nil, err
	}
	return RestoreOn(plant, data)
}

// RestoreOn returns a host that continues where Save was called, with the same numbers from then on. The plant must be made
// from the description of the saved host's lab.
func RestoreOn(plant *device.Plant, data []byte) (*Host, error) {
	h := &Host{layout: registry.NewLayout(plant.Description())}
	rest, hardware := cutLab(data)
	var damaged error
	var restoring sync.WaitGroup
	if hardware != nil { // it takes as long as the rest
		restoring.Go(func() { h.lab, damaged = plant.Restore(hardware) })
	}
	saved, err := decodeSaved(rest)
	if err == nil {
		h.hive, err = loadRegistry(h.layout, saved.Registry)
		h.missing = h.findMissingFeatures()
		h.missing() // the hardware is mostly not ready yet
	}
	restoring.Wait()
	if len(saved.Lab) > 0 || hardware == nil {
		h.lab, damaged = plant.Restore(saved.Lab)
	}
	if err != nil {
		return nil, err
	}
	if damaged != nil {
		return nil, fmt.Errorf("restore the lab: %w", damaged)
	}
	h.miniports = make([]miniport, h.lab.Ports())
	if err := errors.Join(h.restoreFlash(saved.Flash), h.restorePackages(saved.Packages), h.restoreVirtual(saved.Virtual), h.restoreQoS(saved.QoS), h.restoreStack(saved.Stack), saved.MPI.Check(), saved.Boot.Check(), saved.Power.Check(h.lab.Ports()), h.restoreDumps(saved.Dumps), h.restoreIntent(saved.Intent), h.restorePrograms(saved.State)); err != nil {
		return nil, err
	}
	h.mpi, h.boot, h.power = saved.MPI, saved.Boot, saved.Power
	if len(saved.Miniports) != h.lab.Ports() {
		return nil, fmt.Errorf("the saved host has %d ports, and the lab %d", len(saved.Miniports), h.lab.Ports())
	}
	if err := h.restoreHealing(saved.Healing, saved.Miniports); err != nil { // the settings of ports follow it
		return nil, err
	}
	if err := h.restoreMiniports(saved.Miniports); err != nil {
		return nil, err
	}
	if h.events, err = eventlog.Restore(saved.Events, saved.Sequence); err != nil {
		return nil, err
	}
	if err := h.restoreManagement(saved.Management); err != nil {
		return nil, err
	}
	if saved.Drawn < 0 {
		return nil, errors.New("the saved number of GUIDs is negative")
	}
	h.drawn = saved.Drawn
	if err := h.teamSet().Restore(saved.Teams, saved.PortVLANs); err != nil {
		return nil, err
	}
	if err := h.fabricSet().Restore(saved.Partitions); err != nil {
		return nil, err
	}
	if h.journal, err = journal.Restore(saved.Journal); err != nil {
		return nil, err
	}
	h.stackSet().Align(h.miniports[0].state == Running)
	return h, h.restoreGuard(saved.Guard)
}

// loadRegistry loads the registry of a saved host. Hosts that were saved before class keys held numbers as strings have
// such strings as text.
func loadRegistry(layout *registry.Layout, values []registry.Stored) (*registry.Hive, error) {
	for i := range values {
		if v := &values[i]; v.Scope == registry.Miniport && v.Index >= 0 && v.Index < layout.Ports() {
			if r, ok := layout.Catalogue(v.Index).Find(v.Name, v.Scope); ok {
				v.Value = r.Canonical(v.Value)
			}
		}
	}
	return registry.Load(values)
}

// RenewHost installs Windows on a new lab with everything that a saved host had stored: its registry, its journal, its events,
// its teams, VLANs and virtual IPoIB ports, its virtual switches and machines. It is for a host whose lab RestoreHost can't
// read because another version saved it (setup.FormError). The host owns the lab from now on.
func RenewHost(lab *device.Lab, data []byte) (*Host, error) {
	saved, err := readSaved(data)
	if err != nil {
		return nil, err
	}
	h := &Host{lab: lab, miniports: make([]miniport, lab.Ports()), healing: healing.New(lab.Ports())}
	h.layout = registry.NewLayout(lab.Description())
	h.missing = h.findMissingFeatures()
	if h.hive, err = loadRegistry(h.layout, saved.Registry); err != nil {
		return nil, err
	}
	if err := errors.Join(h.restoreFlash(saved.Flash), h.restorePackages(saved.Packages), h.restoreVirtual(saved.Virtual), h.restoreQoS(saved.QoS), h.restoreStack(saved.Stack), saved.MPI.Check(), saved.Boot.Check(), saved.Power.Check(h.lab.Ports()), h.restoreDumps(saved.Dumps), h.restoreIntent(saved.Intent), h.restorePrograms(saved.State)); err != nil {
		return nil, err
	}
	h.mpi, h.boot, h.power.Records = saved.MPI, saved.Boot, saved.Power.Records // its drivers start
	if h.events, err = eventlog.Restore(saved.Events, saved.Sequence); err != nil {
		return nil, err
	}
	kept, err := journal.Restore(saved.Journal)
	h.journal = kept
	if err := errors.Join(h.restoreManagement(saved.Management), err); err != nil {
		return nil, err
	}
	if err := h.restoreGuard(saved.Guard); err != nil {
		return nil, err
	}
	h.start()
	h.stackSet().Align(true)
	return h, h.recreateTeams(&saved)
}

// readSaved reads a saved host with its hardware.
func readSaved(data []byte) (saved savedHost, err error) {
	rest, lab := cutLab(data)
	if saved, err = decodeSaved(rest); err == nil && len(saved.Lab) == 0 {
		saved.Lab = lab
	}
	return saved, err
}

// decodeSaved decodes a saved host, mostly without its hardware; see cutLab.
func decodeSaved(data []byte) (saved savedHost, err error) {
	if len(data) > maxSavedSize {
		return saved, fmt.Errorf("the saved host is longer than %d MB", maxSavedSize>>20)
	}
	// The registry is the longest list of a saved host: otherwise its array grows ten times.
	if n := bytes.Count(data, []byte(`{"scope":`)); n > 0 {
		saved.Registry = make([]registry.Stored, 0, min(n, maxPrepared))
	}
	if err := request.Decode(data, &saved); err != nil {
		return saved, fmt.Errorf("the saved host can't be read: %w", err)
	}
	if saved.Version != savedVersion {
		return saved, fmt.Errorf("the saved host is of version %d, and this cxdeck reads version %d", saved.Version, savedVersion)
	}
	return saved, nil
}

// cutLab decodes the hardware of a saved host, which is three quarters of the text, without parsing it as JSON. The rest is the
// text without it. A text that does not begin as Save writes it, or is too long, is returned whole.
func cutLab(data []byte) (rest, lab []byte) {
	begin := fmt.Appendf(nil, `{"version":%d,"lab":"`, savedVersion)
	if len(data) > maxSavedSize || !bytes.HasPrefix(data, begin) {
		return data, nil
	}
	encoded := data[len(begin):]
	length := bytes.IndexByte(encoded, '"')
	if length < 0 || bytes.IndexByte(encoded[:length], '\n') >= 0 || bytes.IndexByte(encoded[:length], '\r') >= 0 {
		return data, nil // base64 ignores line ends, and JSON does not
	}
	lab, err := base64.StdEncoding.AppendDecode(nil, encoded[:length])
	if err != nil {
		return data, nil
	}
	return append(begin, encoded[length:]...), lab
}

func (h *Host) restoreMiniports(saved []savedMiniport) error {
	h.miniports = make([]miniport, len(saved))
	for port, s := range saved {
		if s.Functions < 0 || s.Functions > counter.MaxFunctions || s.State > Failed || s.Due < 0 || s.Hang < 0 || s.Lost < 0 || !isLongStart(s.Start) {
			return fmt.Errorf("the state of port %d is damaged", port)
		}
		readings := map[*registry.Row]registry.Reading{}
		for _, w := range s.Waiting {
			r, ok := h.catalogue(port).Find(w.Name, w.Scope)
			if !ok {
				return request.Errorf("the saved host has a value of the key %q, which this cxdeck does not support", w.Name)
			}
			readings[r] = registry.Reading{Stored: r.Canonical(w.Stored), Value: w.Value, Why: w.Why}
		}
		watch := virtualization.FunctionWatch{}
		if s.Watch != nil {
			watch = *s.Watch
		}
		if watch.Due != 0 && (watch.Due <= h.lab.Elapsed() || watch.Period == 0 || watch.Period > virtualization.MaxMonitorPeriod || h.lab.VirtualFunctions(port) == 0) {
			return fmt.Errorf("the state of port %d is damaged", port)
		}
		h.miniports[port] = miniport{s.State, s.Due, s.Start, s.Lost, watch, s.Functions, s.Code, h.readRegistry(port).Replace(readings)}
		if s.State == Failed { // its driver has not come to the hardware
			continue
		}
		if err := h.tryConfigure(port); err != nil {
			return fmt.Errorf("the readings of port %d are damaged: %w", port, err)
		}
	}
	return nil
}

// isLongStart reports whether a saved kind of start is valid: none, a reload or a reboot.
func isLongStart(start registry.EffectTime) bool {
	return start == "" || start == registry.AtReload || start == registry.AtReboot
}

func (h *Host) restoreManagement(connection *string) (err error) {
	switch {
	case connection == nil:
		h.management = h.describedManagement()
	case *connection == "":
		h.management = nowhere
	default:
		h.management, err = h.port(*connection)
	}
	return err
}
