// Package lbfo has the cmdlets for teams of Windows Server: teams, their members, and their interfaces for VLANs.
package lbfo
