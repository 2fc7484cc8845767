package twin

// linuxPort is a network interface of a Linux machine.
type linuxPort struct{}

func isBundle([]byte) bool { return false }

func (f *Facts) addBundle([]byte) (string, error) { return "", nil }

func (l *linuxPort) fact() *portFact { return &portFact{} }
