package main

var wireVectors = map[string]vectorRunner{}
