// Package report makes a document of a session for people who have no cxdeck: one HTML file that needs nothing from
// outside, or Markdown for a ticket. Gather collects what the history has; HTML and Markdown write it.
package report
