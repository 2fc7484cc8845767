package impact

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/wording"
)

// ChangesTitle returns a title with the number of changes and their owners, each once: "3 changes on Ethernet 7 and Ethernet
// 8".
func ChangesTitle(changes int, owners []string) string {
	const maxNames = 3
	var list []string
	for _, owner := range owners {
		if !slices.Contains(list, owner) {
			list = append(list, owner)
		}
	}
	where := wording.Names(list)
	if more := len(list) - maxNames; more > 0 {
		where = fmt.Sprintf("%s and %s", strings.Join(list[:maxNames], ", "), wording.Count(more, "other"))
	}
	return wording.Count(changes, "change") + " on " + where
}
