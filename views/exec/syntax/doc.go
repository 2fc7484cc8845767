// Package syntax is the language of the lines that operators type: it splits them into words with quotes and expressions, quotes
// words, and removes prompts that were pasted with a line.
package syntax
