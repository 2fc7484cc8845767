// Package fleet reads the adapters of many hosts from the HTTP API of Prometheus, which Thanos, Mimir and VictoriaMetrics have, too.
// It only reads; what the server sends is limited and cleaned.
package fleet
