package main

var qosVectors = map[string]vectorRunner{}
