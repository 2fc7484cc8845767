package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/intent"
	"cxdeck/driver/linux"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// Limits of decoded data: a journal may come from a foreign file.
const (
	maxOperationSize = 10 << 20 // as many values as one may store, each of the maximum length and with every byte escaped
	MaxOperations    = 100_000  // of a plan: a registry file can need one for each of its values
	maxEntries       = 10_000   // of a journal
)

// UnknownOperationError is an Operation of a kind that this version does not have.
type UnknownOperationError struct{ Operation string }

// Error names the kind.
func (e *UnknownOperationError) Error() string {
	return fmt.Sprintf("there is no operation of the kind %q; a newer cxdeck may have written it", e.Operation)
}

// operations has an Operation of each kind, by whose type others of the kind are decoded.
func operations() []Operation {
	return []Operation{
		adapters.RestartAdapter{}, adapters.EnableAdapter{}, adapters.DisableAdapter{}, adapters.ReloadDriver{}, adapters.Reboot{}, adapters.ResetCard{}, adapters.MarkManagement{}, adapters.SetSriovPorts{}, intent.Keep{},

		hardware.PullCable{}, hardware.PlugCable{}, hardware.SetSlot{}, hardware.SetProcessorSpeed{}, hardware.SetFault{},
		hardware.SetFunctionFault{}, hardware.SetDropless{}, hardware.ResetStatistics{}, hardware.StartCapture{}, hardware.StopCapture{},
		hardware.EmptyCapture{},

		edit.SetValue{}, edit.DeleteValue{}, edit.StoreValues{},
		fabric.ScaleFlow{}, fabric.BurstFlow{}, fabric.SetSwitchPort{}, fabric.SetFarEnd{}, fabric.AddPartition{}, fabric.RemovePartition{},
		teams.Create{}, teams.Modify{}, teams.Delete{}, teams.Restore{}, teams.Attach{}, teams.Detach{}, teams.SetPrimary{},
		teams.SetAddress{}, teams.AddVLAN{}, teams.ModifyVLAN{}, teams.RemoveVLAN{},

		virtualization.SetBIOS{}, virtualization.SetRole{}, virtualization.SetFirmware{}, virtualization.SetNumVFs{}, virtualization.CreateSwitch{},
		virtualization.RemoveSwitch{}, virtualization.SetSwitch{}, virtualization.CreateVM{}, virtualization.RemoveVM{},
		virtualization.SetVMState{}, virtualization.SetGuestDriver{}, virtualization.SetNetVSC{}, virtualization.AddVMAdapter{}, virtualization.RemoveVMAdapter{},
		virtualization.SetVMAdapter{}, virtualization.ResetVF{}, virtualization.Quarantine{}, virtualization.ReleasePort{},
		virtualization.SetFeature{}, virtualization.AddNetVirtualization{}, virtualization.RemoveNetVirtualization{},
		virtualization.RestoreNetVirtualization{},

		qos.SetFeature{}, qos.AddPolicy{}, qos.SetPolicy{}, qos.RemovePolicy{}, qos.AddClass{}, qos.SetClass{}, qos.RemoveClass{},
		qos.SetFlowControl{}, qos.SetDCBX{}, qos.SetAdapter{}, qos.SetLimits{}, qos.SetStartup{},

		stack.SetSMB{}, stack.SetNetworkDirect{}, stack.AddAddress{}, stack.RemoveAddress{}, stack.SetDNS{}, stack.SetDHCP{}, stack.SetExecutionPolicy{}, stack.SetProvider{}, mpi.SetHost{}, boot.Change{}, boot.Start{}, power.Down{}, power.Up{},
		stack.StartTest{}, stack.EndTest{}, stack.StartServer{}, stack.StopServer{},

		services.Create{}, services.Delete{}, services.Start{}, services.Stop{}, services.Configure{}, opensm.Start{}, opensm.Stop{}, linux.WriteFile{},

		dump.RequestIncident{}, dump.RequestState{}, dump.RemoveFiles{}, dump.StopTrace{}, dump.StartTrace{},
		subnet.SetLink{}, subnet.SetPort{}, subnet.SetManager{}, subnet.ClearCounters{},

		healing.InjectFault{}, healing.ResetDevice{}, installer.Run{}, flash.Burn{}, flash.Restore{}, flash.CutBurn{},
		packages.Setup{}, packages.Extract{}, packages.SetCondition{},
	}
}

// decoders has a decoder for each kind of Operation.
func decoders() map[string]func([]byte) (Operation, error) {
	all := map[string]func([]byte) (Operation, error){}
	for _, o := range operations() {
		all[o.Kind()] = func(data []byte) (Operation, error) { return decodeLike(o, data) }
	}
	return all
}

// Kinds returns the tags of all kinds of Operations, in alphabetical order.
func Kinds() []string { return slices.Sorted(maps.Keys(decoders())) }

func decodeLike(operation Operation, data []byte) (Operation, error) {
	into := reflect.New(reflect.TypeOf(operation))
	if err := request.Decode(data, into.Interface()); err != nil {
		return nil, err
	}
	o := into.Elem().Interface().(Operation)
	return o, checkTarget(o)
}

// checkTarget returns why the target of an Operation can't be stored.
func checkTarget(o Operation) error {
	switch target := o.Target(); {
	case target == "":
		return errors.New("the name of the object that it changes is required")
	case len(target) > request.MaxTarget:
		return fmt.Errorf("the name of the object that it changes can have at most %d bytes, and %.40q... has %d", request.MaxTarget, target,
			len(target))
	}
	return nil
}

// taggedOperation is an Operation as it is stored.
type taggedOperation struct {
	Kind      string          `json:"kind"`
	Operation json.RawMessage `json:"operation"`
}

// MarshalOperation writes an Operation with its kind: {"kind":"pull-cable","operation":{"connection":"Ethernet 7"}}. It
// fails where UnmarshalOperation would.
func MarshalOperation(o Operation) ([]byte, error) {
	if err := checkTarget(o); err != nil {
		return nil, err
	}
	body, err := json.Marshal(o)
	switch {
	case err != nil:
		return nil, fmt.Errorf("encode %s: %w", o.Kind(), err)
	case HasInvalidText(body):
		return nil, errors.New("it contains text that is not valid UTF-8")
	}
	data, err := json.Marshal(taggedOperation{o.Kind(), body})
	if err == nil && len(data) > maxOperationSize {
		err = errTooLong
	}
	return data, err
}

var errTooLong = fmt.Errorf("the operation is longer than %d MB", maxOperationSize>>20)

// UnmarshalOperation reads an Operation that MarshalOperation wrote. It returns an *UnknownOperationError for a kind that this
// version does not have.
func UnmarshalOperation(data []byte) (Operation, error) { return unmarshalOperation(data, decoders()) }

func unmarshalOperation(data []byte, kinds map[string]func([]byte) (Operation, error)) (Operation, error) {
	if len(data) > maxOperationSize {
		return nil, errTooLong
	}
	var tagged taggedOperation
	if err := request.Decode(data, &tagged); err != nil {
		return nil, fmt.Errorf("the operation can't be read: %w", err)
	}
	decode, ok := kinds[tagged.Kind]
	if !ok {
		return nil, &UnknownOperationError{tagged.Kind}
	}
	o, err := decode(tagged.Operation)
	if err != nil {
		return nil, fmt.Errorf("the operation %s can't be read: %w", tagged.Kind, err)
	}
	return o, nil
}

var errTooMany = fmt.Errorf("the plan has more than %d operations", MaxOperations)

type storedPlan struct {
	Title      string            `json:"title"`
	Operations []json.RawMessage `json:"operations"`
}

// MarshalJSON writes the plan with the kinds of its Operations. It fails where UnmarshalJSON would.
func (p Plan) MarshalJSON() ([]byte, error) {
	switch {
	case len(p.Operations) > MaxOperations:
		return nil, errTooMany
	case !utf8.ValidString(p.Title):
		return nil, errors.New("its title is not valid UTF-8")
	}
	stored := storedPlan{Title: p.Title, Operations: make([]json.RawMessage, len(p.Operations))}
	for i, o := range p.Operations {
		data, err := MarshalOperation(o)
		if err != nil {
			return nil, err
		}
		stored.Operations[i] = data
	}
	return json.Marshal(stored)
}

// UnmarshalJSON reads a plan that MarshalJSON wrote.
func (p *Plan) UnmarshalJSON(data []byte) error {
	var stored storedPlan
	if err := request.Decode(data, &stored); err != nil {
		return fmt.Errorf("the plan can't be read: %w", err)
	}
	if len(stored.Operations) > MaxOperations {
		return errTooMany
	}
	plan, kinds := Plan{Title: stored.Title}, decoders()
	for _, data := range stored.Operations {
		o, err := unmarshalOperation(data, kinds)
		if err != nil {
			return err
		}
		plan.Operations = append(plan.Operations, o)
	}
	*p = plan
	return nil
}

type storedEntry struct {
	Sequence uint64              `json:"sequence"`
	Time     time.Time           `json:"time"`
	Plan     Plan                `json:"plan"`
	Inverse  Plan                `json:"inverse"`
	Undoes   uint64              `json:"undoes,omitempty"`
	Values   []edit.WrittenValue `json:"values,omitempty"`
	Typed    map[int][]string    `json:"commands,omitempty"`
	Err      string              `json:"error,omitempty"`
	By       string              `json:"by,omitempty"`
	Run      string              `json:"run,omitempty"`
	Unread   string              `json:"-"`
	stored   json.RawMessage
}

// MarshalJSON writes the entry with the kinds of its Operations. An entry that could not be read is written unchanged.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Unread != "" {
		return e.stored, nil
	}
	data, err := json.Marshal(storedEntry(e))
	if err == nil && HasInvalidText(data) {
		err = errors.New("a text of the entry is not valid UTF-8")
	}
	return data, err
}

// UnmarshalJSON reads an entry that MarshalJSON wrote. If it can't be read, the entry says so: see Entry.Unread.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var stored storedEntry
	if err := request.Decode(data, &stored); err != nil {
		*e = unreadEntry(data, err)
		return nil
	}
	*e = Entry(stored)
	return nil
}
