package powershell

import (
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// Kinds of parameters that name at least one connection: connectionNames may have patterns, memberNames may not.
type (
	connectionNames []string
	memberNames     []string
)

// bound makes a command out of a function that takes its parameters as the fields of a struct, which have their names.
// The tag need says what must be given, default what counts without the parameter, and one what words there are, the
// first of which is the default. A pointer is nil without its parameter.
func bound[T any](run func(*cmdlet, *T) (exec.Answer, error)) func(*cmdlet) (exec.Answer, error) {
	return func(p *cmdlet) (exec.Answer, error) {
		in := new(T)
		if err := p.bind(in); err != nil {
			return exec.Answer{}, err
		}
		return run(p, in)
	}
}

// bind sets the fields of a struct, which into points to, to the parameters of their names.
func (p *cmdlet) bind(into any) error {
	fields := reflect.ValueOf(into).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if err := p.bindField(&field, fields.Field(i).Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

func (p *cmdlet) bindField(field *reflect.StructField, into any) (err error) {
	name, text := field.Name, p.value(field.Name)
	switch into := into.(type) {
	case *connectionNames:
		*into, err = p.connections()
		return err
	case *memberNames:
		*into, err = p.teamConnections(name)
		return err
	}
	if text == "" {
		if need := field.Tag.Get("need"); need != "" {
			_, err = p.need(name, need)
			return err
		}
	}
	if one := field.Tag.Get("one"); one != "" {
		*into.(*string), err = chooseWord(p.command, name, p.values[name], strings.Split(one, ","))
		return err
	}
	if text == "" {
		text = field.Tag.Get("default")
	}
	if text == "" {
		return nil
	}
	switch into := into.(type) {
	case *string:
		*into = text
	case *int:
		*into, err = strconv.Atoi(text)
	case **int:
		*into = new(int)
		**into, err = strconv.Atoi(text)
	case *uint32:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 32)
		*into = uint32(n)
	case *bool:
		*into, err = readTruth(text)
	case **bool:
		*into = new(bool)
		**into, err = readTruth(text)
	case *netip.Addr:
		if *into, err = netip.ParseAddr(text); into.Zone() != "" {
			err = strconv.ErrSyntax
		}
	case *netip.Prefix:
		*into, err = netip.ParsePrefix(text)
	default:
		return p.bindObject(text, into)
	}
	if err != nil {
		return exec.Mistake("-%s of %s must be %s, not %q", name, p.command, kindOf(into), text)
	}
	return nil
}

// bindObject sets a field to what a parameter names; the error says why it names nothing.
func (p *cmdlet) bindObject(text string, into any) (err error) {
	switch into := into.(type) {
	case *description.MAC:
		*into, err = exec.ReadMAC(text)
	case **description.MAC:
		*into = new(description.MAC)
		**into, err = exec.ReadMAC(text)
	case **virtualization.VMView:
		*into, err = exec.FindVM(p.view, text)
	case **virtualization.SwitchView:
		*into, err = exec.FindSwitch(p.view, text)
	case **teams.View:
		*into, err = p.team(text)
	default:
		panic(fmt.Sprintf("no parameter is bound to %T", into))
	}
	return err
}

// kindOf says what a field takes.
func kindOf(into any) string {
	switch into.(type) {
	case *bool, **bool:
		return "$true or $false"
	case *netip.Addr:
		return "an IP address"
	case *netip.Prefix:
		return "a network such as 172.16.0.0/16"
	}
	return "an integer"
}

func readTruth(text string) (bool, error) {
	on, ok := exec.TruthWords()[strings.ToLower(text)]
	if !ok {
		return false, strconv.ErrSyntax
	}
	return on, nil
}
