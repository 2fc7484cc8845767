package shell

import (
	"maps"
	"strings"
	"sync"
)

// Session has the variables of scripts that run one after the other. It is safe for concurrent use; nil has none.
type Session struct {
	mutex     sync.Mutex
	variables map[string]Value
}

// Copy returns a session with the same variables, for a trial run.
func (s *Session) Copy() *Session {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return &Session{variables: maps.Clone(s.variables)}
}

func (s *Session) get(name string) Value {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.variables[name]
}

func (s *Session) set(name string, v Value) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.variables == nil {
		s.variables = map[string]Value{}
	}
	s.variables[name] = v
}

// environment begins the names of environment variables.
const environment = "env:"

// Environment returns the environment variables that are set, by their names in capitals.
func (s *Session) Environment() map[string]string {
	all := map[string]string{}
	if s == nil {
		return all
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name, v := range s.variables {
		if name, ok := strings.CutPrefix(name, environment); ok {
			all[strings.ToUpper(name)] = Text(v)
		}
	}
	return all
}

// SetEnvironment sets an environment variable; an empty value removes it.
func (s *Session) SetEnvironment(name, value string) {
	name = environment + strings.ToLower(name)
	if value != "" {
		s.set(name, Cell(value))
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.variables, name)
}

// names returns the names of the variables.
func (s *Session) names() (names []string) {
	if s == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name := range s.variables {
		names = append(names, name)
	}
	return names
}
