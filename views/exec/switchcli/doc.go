// Package switchcli implements switch console: the command line of the switch to which the lab's ports are cabled. It takes the
// lines that the manuals give for switches with MLNX-OS and with Arista EOS, in any mix, and abbreviated as these systems allow.
// Its grammar is a table; settings become Operations of driver/fabric on switch ports.
package switchcli
