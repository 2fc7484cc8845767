// Package themes holds palettes and glyph sets: what a role looks like on a given terminal. It defines colours,
// attributes and symbols, and does not depend on screens, widgets or data.
package themes
