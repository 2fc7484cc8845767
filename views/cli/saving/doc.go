// Package saving writes a running host to the history: in the background of a console, or for one run of exec, with the drafts and the
// changes that a killed run had begun. It opens no history.
package saving
