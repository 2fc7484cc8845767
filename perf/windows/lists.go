package windows

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// splitList splits a list of texts, each with a zero at its end.
func splitList(units []uint16) []string {
	var list []string
	for _, text := range strings.Split(string(utf16.Decode(units)), "\x00") {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// numberInstances gives repeated instances a number, as Performance Monitor does: "vm#1".
func numberInstances(readings []Reading) []Reading {
	uses := map[string]int{}
	for i := range readings {
		key := strings.ToLower(readings[i].Instance)
		if n := uses[key]; n > 0 {
			readings[i].Instance = fmt.Sprintf("%s#%d", readings[i].Instance, n)
		}
		uses[key]++
	}
	return readings
}
