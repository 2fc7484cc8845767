package main

var congestionVectors = map[string]vectorRunner{}
