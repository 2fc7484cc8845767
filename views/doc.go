// Package views holds the screens, one package each, and the command line, which is the same console without a screen. Nothing
// else is in it: screens do not import each other.
package views
