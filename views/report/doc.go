// Package report makes a document of a session for people who have no cxdeck: one HTML file without external resources, or
// Markdown for a ticket. Gather reads the contents from the history; HTML and Markdown write the document.
package report
