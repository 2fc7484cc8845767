// Package firmware is the table of settings that a card keeps in its flash: what each may be, and what the card does
// when it was never set. Which words explain them stands in the catalogue of keys; the values of a card belong to
// package driver.
package firmware
