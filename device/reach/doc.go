// Package reach defines the reasons why traffic finds no receiver, and sets of them. The lab determines the reasons of each
// flow.
package reach
