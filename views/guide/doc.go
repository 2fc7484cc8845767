// Package guide has the dialogs of the guides: the list, and the page of one guide with its preconditions as they are on the host, its
// steps, and the buttons that carry them out.
package guide
