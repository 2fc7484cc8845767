// Package parts lists, stores and removes the parts of a session: windows of samples, blocks of minutes and hours, and the
// frames of the window that is not full yet. It finds the parts of a period; packages codec and level know their packed form.
package parts
