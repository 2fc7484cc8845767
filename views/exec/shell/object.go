package shell

import "strings"

// Object is a row that a cmdlet prints.
type Object struct {
	// Noun is the noun of the cmdlet, such as NetAdapter; it is empty for an object that a script made.
	Noun string
	// Layout is the form in which the cmdlet prints its rows.
	Layout     *Layout
	Properties []Property
}

// Property is a property of an object.
type Property struct {
	Name  string
	Value Value
}

// Layout is the form of printed rows: a table, or a list with a line for each property.
type Layout struct {
	List bool
	// Dashes reports that a row of dashes follows the heading.
	Dashes bool
	// Names are the printed properties; nil for all.
	Names []string
}

// sameAs lists the names of one property that cmdlets spell differently.
func sameAs() [][]string {
	return [][]string{{"interfaceindex", "ifindex"}, {"interfacealias", "ifalias"}, {"interfacedescription", "ifdesc"}, {"id", "vportid"}}
}

// plainName returns the name of a property without spaces and units, in lower case: "Bandwidth(%)" is bandwidth.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return strings.ToLower(strings.ReplaceAll(name, " ", ""))
}

// Get returns the property with a name in any case; ok is false without one.
func (o *Object) Get(name string) (v Value, ok bool) {
	if p := o.find(name); p != nil {
		return p.Value, true
	}
	return nil, false
}

func (o *Object) find(name string) *Property {
	wanted := []string{plainName(name)}
	for _, names := range sameAs() {
		for _, synonym := range names {
			if synonym == wanted[0] {
				wanted = append(wanted, names...)
			}
		}
	}
	// An adapter is also found by the alias of its interface.
	if wanted[0] == "interfacealias" && strings.HasPrefix(o.Noun, "NetAdapter") {
		wanted = append(wanted, "name")
	}
	for _, property := range wanted {
		for i := range o.Properties {
			if plainName(o.Properties[i].Name) == property {
				return &o.Properties[i]
			}
		}
	}
	return nil
}

// names lists the names of the properties.
func (o *Object) names() (list []string) {
	for i := range o.Properties {
		list = append(list, o.Properties[i].Name)
	}
	return list
}

// text returns the properties as PowerShell prints an object in a text.
func (o *Object) text() string {
	var parts []string
	for i := range o.Properties {
		parts = append(parts, o.Properties[i].Name+"="+Text(o.Properties[i].Value))
	}
	return "@{" + strings.Join(parts, "; ") + "}"
}
