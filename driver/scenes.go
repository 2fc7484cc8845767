package driver

// Scene is a ready situation for the lab, with what to look for.
type Scene struct {
	// Name is what it is called by: "pause-storm"; Title is for people: "Pause storm".
	Name, Title string
	// Story says what happens, LookFor what the operator should see, each as sentences.
	Story, LookFor string
	// Counters are paths of counters that move, with {connection} for the connection's name where it belongs.
	Counters []string
	// Events are keys of the event catalogue that are written.
	Events []string
}

// Scenes are the ready scenes, in the order in which they are offered.
func Scenes() []Scene { return nil }

// Plan is what makes the scene on a host at a connection; an empty name chooses the connection that shows it best.
func (s Scene) Plan(h *Host, connection string) (Plan, error) { return Plan{Title: s.Title}, nil }
