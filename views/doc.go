// Package views holds the screens, one package each, and the command line, which is the same console without a screen.
package views
