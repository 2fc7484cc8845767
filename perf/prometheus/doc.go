// Package prometheus gives the series of a source the names, units and labels of Prometheus, and writes them in its text format.
// It opens no file and no connection.
package prometheus
