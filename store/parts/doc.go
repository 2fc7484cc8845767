// Package parts lists, stores and removes the parts of a session: windows of samples, blocks of minutes and hours, and the frames
// of the window that is not full yet. It finds out which of them represent a time; what is packed in them, packages codec and
// level know.
package parts
