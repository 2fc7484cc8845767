// Package report writes samples of chosen series as tables, logs, JSON, and text for Prometheus. It reads nothing.
package report
