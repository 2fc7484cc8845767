// Package widget has the parts of a screen that know nothing of adapters: the canvas, tables, charts, inputs and buttons. A
// widget is a plain struct with named methods; it draws itself into an Area and never writes to the terminal.
package widget
