package main

var receiveVectors = map[string]vectorRunner{}
