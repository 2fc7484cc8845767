package exec

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
)

// FindVM finds a virtual machine by its name, in any case.
func FindVM(view *driver.View, name string) (*virtualization.VMView, error) {
	var names []string
	for i := range view.VMs {
		if strings.EqualFold(view.VMs[i].Name, name) {
			return &view.VMs[i], nil
		}
		names = append(names, view.VMs[i].Name)
	}
	return nil, request.Errorf("there is no virtual machine %q%s", name, Suggest(name, names, "vm list prints the names"))
}

// FindSwitch finds a virtual switch by its name, in any case.
func FindSwitch(view *driver.View, name string) (*virtualization.SwitchView, error) {
	var names []string
	for i := range view.Switches {
		if strings.EqualFold(view.Switches[i].Name, name) {
			return &view.Switches[i], nil
		}
		names = append(names, view.Switches[i].Name)
	}
	return nil, request.Errorf("there is no virtual switch %q%s", name, Suggest(name, names, "vswitch list prints the names"))
}

// Argument is a type that parses itself from a typed argument. Errors describe the valid values with is.
type Argument interface {
	Read(c *Call, text, is string) error
}

// Count is a maximum number of rows, from 0 to MaxRows.
type Count int

func (n *Count) Read(_ *Call, text, is string) error {
	whole, err := Integer(text, is, 0, MaxRows)
	*n = Count(whole)
	return err
}

// IsConnection is the value of the tag is for the name of a connection. The field gets the name in the host's spelling.
const IsConnection = "connection"

// Bound turns a function into a command, and binds the typed line to the fields of a struct T, in their order:
//
//   - a field without the tag flag takes the next argument; a slice takes all remaining arguments
//   - the tag flag binds the value of that flag; a bool without the tag is reports whether the flag was given
//   - the tag is describes the valid values in errors
//   - the tag range has the bounds of an integer, "0 7"
//   - the tag default is the value of a flag that was not given; without it the field is not set
//   - a *driver.View is the current state of the host
//   - a []*driver.PortView has the ports that the next argument names, or all ports if there is no argument
func Bound[T any](run func(*Call, *T) (Answer, error)) func(*Call) (Answer, error) {
	return func(c *Call) (Answer, error) {
		in := new(T)
		if err := c.bind(reflect.ValueOf(in).Elem()); err != nil {
			return Answer{}, err
		}
		return run(c, in)
	}
}

func (c *Call) bind(fields reflect.Value) (err error) {
	words := c.Arguments
	for i := range fields.NumField() {
		field, tag := fields.Field(i), fields.Type().Field(i).Tag
		typed := words
		switch into := field.Addr().Interface().(type) {
		case **driver.View:
			if *into, err = c.View(); err != nil {
				return err
			}
			continue
		case *[]*driver.PortView:
			if err := c.find(into, strings.Join(words[:min(1, len(words))], "")); err != nil {
				return err
			}
			continue
		}
		if flag := tag.Get("flag"); flag != "" {
			typed = nil
			if text, given := c.Flags[flag]; given {
				typed = []string{text}
			} else if text := tag.Get("default"); text != "" {
				typed = []string{text}
			}
		} else if len(words) > 0 && field.Kind() != reflect.Slice {
			typed, words = words[:1], words[1:]
		}
		for _, text := range typed {
			value := field
			if field.Kind() == reflect.Slice {
				value = reflect.New(field.Type().Elem()).Elem()
			}
			if bounds := tag.Get("range"); bounds != "" {
				err = parseWithin(value.Addr().Interface(), text, tag.Get("is"), bounds)
			} else {
				err = c.Parse(value.Addr().Interface(), text, tag.Get("is"))
			}
			if err != nil {
				return err
			}
			if field.Kind() == reflect.Slice {
				field.Set(reflect.Append(field, value))
			}
		}
	}
	return nil
}

// Parse parses text into the value that into points to. Names are looked up on the host. The error says why text is
// invalid, or that the host has nothing with this name.
func (c *Call) Parse(into any, text, is string) (err error) {
	switch into := into.(type) {
	case Argument:
		return into.Read(c, text, is)
	case *string:
		if *into = text; is == IsConnection {
			return c.find(into, text)
		}
	case *bool:
		*into = text == "on" || is == ""
		if is != "" && !*into && text != "off" {
			return Mistake("%s must be on or off, not %q", is, text)
		}
	case **bool:
		*into = new(bool)
		return c.Parse(*into, text, is)
	case *int:
		*into, err = WholeNumber(text, is)
	case **int:
		*into = new(int)
		return c.Parse(*into, text, is)
	case *uint64:
		if *into, err = strconv.ParseUint(text, 10, 64); err != nil {
			return Mistake("%s must be an integer from 0 to %d, not %q", is, uint64(math.MaxUint64), text)
		}
	case *mux.Type:
		if *into, err = mux.ParseType(text); err != nil {
			return &MistakeError{Text: err.Error()}
		}
	case *description.MAC:
		*into, err = ReadMAC(text)
	case **description.MAC:
		*into = new(description.MAC)
		return c.Parse(*into, text, is)
	default:
		return c.find(into, text)
	}
	return err
}

// find looks up a name on the host, and stores what has it in into.
func (c *Call) find(into any, name string) error {
	view, err := c.View()
	if err != nil {
		return err
	}
	switch into := into.(type) {
	case *string:
		*into, err = Connection(view, name)
	case **driver.AdapterView:
		var card int
		if card, _, err = FindAdapter(view, name); err == nil {
			*into = &view.Adapters[card]
		}
	case *[]*driver.PortView:
		*into, err = PortViews(view, name)
	case **teams.View:
		*into, err = FindTeam(view, name)
	case **virtualization.VMView:
		*into, err = FindVM(view, name)
	case **virtualization.SwitchView:
		*into, err = FindSwitch(view, name)
	default:
		panic(fmt.Sprintf("no argument can have the type %T", into))
	}
	return err
}
