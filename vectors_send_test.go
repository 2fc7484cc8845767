package main

var sendVectors = map[string]vectorRunner{}
