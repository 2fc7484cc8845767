// Package firmware lists the settings that a card keeps in its flash: the values of each, and what the card does
// when it was never set. Which words explain them is in the catalogue of keys; the values of a card belong to
// package driver.
package firmware
