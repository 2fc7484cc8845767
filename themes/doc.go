// Package themes has palettes and glyph sets: the looks of each role on a given terminal. It defines colours, attributes and
// symbols, and does not depend on screens, widgets or data.
package themes
