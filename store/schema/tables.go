package schema

// OfNoSession are the tables that are not about sessions.
var OfNoSession = map[string]bool{
	"layout": true, "setting": true, "host": true, "kept_host": true, "draft": true, "profile": true, "favourite": true, "begun": true,
}

// SessionTable is a table with rows of sessions. An import copies SessionTables, session and series_list.
type SessionTable struct {
	Name string
	// Numbered reports that other tables refer to its rows by their id.
	Numbered bool
	// Of is the numbered table whose id is in the column place, times 65536; empty for a table with the column session.
	Of string
	// References are the columns that hold the id of a row of a numbered table, by that table.
	References map[string][]string
}

// SessionTables lists numbered tables before the tables that refer to them.
var SessionTables = []SessionTable{
	{Name: "clock", Numbered: true}, {Name: "chunk", Of: "clock"},
	{Name: "level", Numbered: true, References: map[string][]string{"clock": {"first_window", "next_window"}, "level": {"parent"}}},
	{Name: "summary", Of: "level"}, {Name: "frame"}, {Name: "generation"},
	{Name: "event"}, {Name: "journal"}, {Name: "mark"}, {Name: "tag"}, {Name: "snapshot"}, {Name: "twin"},
}
