package setup

import "fmt"

// FormError reports a lab that another version saved, in an unsupported form.
type FormError struct {
	Form  int
	Known int // the form of this version
}

// Error names the form.
func (e *FormError) Error() string {
	return fmt.Sprintf("the lab was saved in form %d, and this program reads form %d; start a new lab", e.Form, e.Known)
}
