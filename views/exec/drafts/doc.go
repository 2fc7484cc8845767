// Package drafts adds Operations to the draft of a host, which is applied later, and has the answers about it that several families
// of commands share.
package drafts
