package stack

import (
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// Provider is a NetworkDirect provider: the library through which programs such as MPI use RDMA of the cards of one driver. SMB Direct is in the
// kernel and needs none.
type Provider struct {
	Name     string
	Family   description.Family
	Versions string // of the interface
	Library  string
}

// Providers returns the providers that the driver packages install (002:10587, 10776); the manuals do not name the one of WinOF-2.
func Providers() []Provider {
	return []Provider{
		{"MLX4ND", description.WinOF, "NDv1, NDv2", `%SystemRoot%\system32\mlx4nd.dll`},
		{"MLX4ND2", description.WinOF, "NDv2", `%SystemRoot%\system32\mlx4nd2.dll`},
		{"MLX5ND", description.WinOF2, "NDv2", `%SystemRoot%\system32\mlx5nd.dll`},
	}
}

// FindProvider returns a provider by its name in any case, or an error that lists the names.
func FindProvider(name string) (Provider, error) {
	var names []string
	for _, p := range Providers() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Provider{}, request.Errorf("there is no NetworkDirect provider %q; the drivers have %s", name, strings.Join(names, ", "))
}

// HasProvider reports whether a provider is installed.
func (s *State) HasProvider(name string) bool { return !slices.Contains(s.RemovedProviders, name) }

// missingProvider returns the provider that programs on a port lack; empty if one of its driver is installed.
func (s Set) missingProvider(port int) (name string) {
	_, adapter, _ := s.Lab().Port(port)
	family := s.Lab().Description().Adapters[adapter].Family
	for _, p := range Providers() {
		if p.Family != family {
			continue
		}
		if s.HasProvider(p.Name) {
			return ""
		}
		name = p.Name // the newest
	}
	return name
}

// SetProvider installs or removes a NetworkDirect provider.
type SetProvider struct {
	Provider  string `json:"provider"`
	Installed bool   `json:"installed"`
}

func (SetProvider) Kind() string     { return "set-network-direct-provider" }
func (o SetProvider) Target() string { return o.Provider }

func (o SetProvider) Describe() string {
	if o.Installed {
		return "install the NetworkDirect provider " + o.Provider
	}
	return "remove the NetworkDirect provider " + o.Provider
}

// Commands returns the line of the tool.
func (o SetProvider) Commands() []string {
	if o.Installed {
		return []string{"ndinstall -i " + o.Provider}
	}
	return []string{"ndinstall -r " + o.Provider}
}

func (o SetProvider) Inverse(s Set) (Operation, error) {
	p, err := FindProvider(o.Provider)
	switch {
	case err != nil:
		return nil, err
	case p.Name != o.Provider:
		return nil, request.Errorf("the provider is called %s", p.Name)
	case s.HasProvider(p.Name) == o.Installed && o.Installed:
		return nil, request.Unchanged("the provider is installed already")
	case s.HasProvider(p.Name) == o.Installed:
		return nil, request.Unchanged("the provider is not installed")
	}
	return SetProvider{o.Provider, !o.Installed}, nil
}

func (o SetProvider) Apply(s Set) error {
	list := slices.DeleteFunc(slices.Clone(s.RemovedProviders), func(name string) bool { return name == o.Provider })
	if !o.Installed {
		list = append(list, o.Provider)
	}
	slices.Sort(list)
	if s.RemovedProviders = list; len(list) == 0 {
		s.RemovedProviders = nil
	}
	return s.Reclassify()
}

// SetProviders installs or removes the providers of a driver.
func (s Set) SetProviders(driver string, installed bool) error {
	for _, p := range Providers() {
		if p.Family.Driver() != driver || s.HasProvider(p.Name) == installed {
			continue
		}
		if err := (SetProvider{p.Name, installed}).Apply(s); err != nil {
			return err
		}
	}
	return nil
}
