package schema

import (
	"maps"
	"slices"
	"testing"
)

// Each table is in SessionTables or OfNoSession, so that imports do not miss a new table.
func TestAllTablesAreListed(t *testing.T) {
	t.Parallel()
	newest, err := At(t.Context(), Newest)
	if err != nil {
		t.Fatal(err)
	}
	known := maps.Clone(OfNoSession)
	known["session"], known["series_list"] = true, true
	for i, table := range SessionTables {
		known[table.Name] = true
		for referred := range table.References {
			if !slices.ContainsFunc(SessionTables[:i+1], func(earlier SessionTable) bool { return earlier.Name == referred && earlier.Numbered }) {
				t.Errorf("%s refers to %s, which has no numbers yet", table.Name, referred)
			}
		}
	}
	for _, table := range newest.Tables {
		if !known[table.Name] {
			t.Errorf("table %s is in neither SessionTables nor OfNoSession", table.Name)
		}
	}
}
