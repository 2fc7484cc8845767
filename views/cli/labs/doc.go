// Package labs opens the lab that the operator chose: its description, and its host as the history has it, or a new one.
package labs
