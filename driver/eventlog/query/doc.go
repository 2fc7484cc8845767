// Package query selects events as Windows does, by an XPath expression of -FilterXPath and wevtutil or by the keys of a
// -FilterHashtable, and writes events as XML and CSV.
package query
