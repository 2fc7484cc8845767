// Package themes holds palettes and glyph sets: what a role looks like on a given terminal. It knows colours,
// attributes and symbols, and nothing of screens, widgets or data.
package themes
