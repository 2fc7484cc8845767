package powershell

import (
	"net/netip"
	"reflect"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// Types of parameters that name at least one connection: connectionNames accept wildcards, memberNames do not.
type (
	connectionNames []string
	memberNames     []string
)

// bound makes a command of a function that takes its parameters in a struct; a field has the name of its parameter. The
// tag need marks a required parameter and describes it; default is the value of an omitted one; one lists the allowed
// words, the default first. A pointer is nil when its parameter is omitted.
func bound[T any](run func(*invocation, *T) (exec.Answer, error)) func(*invocation) (exec.Answer, error) {
	return func(p *invocation) (exec.Answer, error) {
		in := new(T)
		if err := p.bind(in); err != nil {
			return exec.Answer{}, err
		}
		return run(p, in)
	}
}

// bind sets each field of the struct that into points to from the parameter of the same name.
func (p *invocation) bind(into any) error {
	fields := reflect.ValueOf(into).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if err := p.bindField(&field, fields.Field(i).Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

func (p *invocation) bindField(field *reflect.StructField, into any) (err error) {
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

// bindObject sets a field to the object that a parameter names; the error says why there is no such object.
func (p *invocation) bindObject(text string, into any) (err error) {
	if into, ok := into.(**teams.View); ok {
		*into, err = p.team(text)
		return err
	}
	return p.call.Parse(into, text, "")
}

// kindOf describes the values that a field accepts.
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
