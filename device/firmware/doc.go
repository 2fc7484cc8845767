// Package firmware lists the settings in a card's flash, with their ranges and defaults. The catalogue of keys explains them;
// package driver keeps the values of a card.
package firmware
