// Package ets shares the send rate of a port among its traffic classes, as enhanced transmission selection of IEEE 802.1Qaz
// does (model rules QOS-5 to QOS-8; WinOF manual, "Enhanced Transmission Selection" and "Modify Traffic Classes Bandwidth (BW)
// Limit Configuration Tool"). Queues and the frames in them belong to the lab.
package ets
