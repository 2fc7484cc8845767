package mpi

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// Family returns the commands.
func Family() *exec.Family {
	return &exec.Family{
		Texts: texts, Tools: true,
		Commands: []exec.Command{
			{Name: "start smpd", Min: 1, Max: 3, Changes: true, Run: startDaemon},
			{Name: "smpd", Min: 1, Max: 3, Changes: true, Run: startDaemon},
			{Name: "mpiexec", Max: exec.Any, Changes: true, Run: mpiexec},
			{Name: "mpi hosts", Run: listHosts},
			{Name: "mpi host", Min: 2, Max: 4, Changes: true, Run: setHost},
		},
	}
}
