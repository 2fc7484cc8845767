package powershell

import (
	"net/netip"
	"reflect"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

type (
	// ConnectionNames is a parameter with the names of one or more connections, which may have wildcards.
	ConnectionNames []string
	// MemberNames is a parameter with the names of one or more connections without wildcards.
	MemberNames []string
)

// Bound turns a function into a cmdlet, and binds the typed parameters to the fields of a struct T, which have the names of
// the parameters. The tag need marks a required parameter and describes it, default is the value of an omitted parameter,
// and one lists the valid words, the default first. A pointer is nil if its parameter is omitted.
func Bound[T any](run func(*Invocation, *T) (exec.Answer, error)) func(*Invocation) (exec.Answer, error) {
	return func(p *Invocation) (exec.Answer, error) {
		in := new(T)
		if err := p.Bind(in); err != nil {
			return exec.Answer{}, err
		}
		return run(p, in)
	}
}

// Bind sets the fields of the struct that into points to from the parameters with the same names.
func (p *Invocation) Bind(into any) error {
	fields := reflect.ValueOf(into).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if err := p.bindField(&field, fields.Field(i).Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

func (p *Invocation) bindField(field *reflect.StructField, into any) (err error) {
	name, text := field.Name, p.Value(field.Name)
	switch into := into.(type) {
	case *ConnectionNames:
		*into, err = p.Connections()
		return err
	case *MemberNames:
		*into, err = p.teamConnections(name)
		return err
	}
	if text == "" {
		if need := field.Tag.Get("need"); need != "" {
			_, err = p.Required(name, need)
			return err
		}
	}
	if spelled := field.Tag.Get("one"); spelled != "" {
		*into.(*string), err = ChooseWord(p.Command, name, p.Values[name], strings.Split(spelled, ","))
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
		*into, err = parseBool(text)
	case **bool:
		*into = new(bool)
		**into, err = parseBool(text)
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
		return exec.Mistake("-%s of %s must be %s, not %q", name, p.Command, kindOf(into), text)
	}
	return nil
}

// bindObject looks up the object that a parameter names, and stores it in a field.
func (p *Invocation) bindObject(text string, into any) (err error) {
	if into, ok := into.(**teams.View); ok {
		*into, err = p.team(text)
		return err
	}
	return p.Call.Parse(into, text, "")
}

// kindOf describes the valid values of a field in errors.
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

func parseBool(text string) (bool, error) {
	on, ok := exec.BooleanWords()[strings.ToLower(text)]
	if !ok {
		return false, strconv.ErrSyntax
	}
	return on, nil
}
