package schema

import (
	"context"
	"errors"

	"cxdeck/store/engine"
	"cxdeck/store/intake"
	"cxdeck/store/salvage"
)

// At returns the tables and indexes of a schema version.
func At(ctx context.Context, version int) (schema intake.Schema, err error) {
	memory := engine.OpenMemory()
	defer memory.Close() //nolint:errcheck // nothing is kept there
	if err := Migrate(ctx, memory, version); err != nil {
		return schema, err
	}
	if schema.Tables, err = salvage.ReadTables(ctx, memory); err != nil {
		return schema, err
	}
	rows, err := memory.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return schema, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var object salvage.Object
		if err := rows.Scan(&object.Kind, &object.Name, &object.Table, &object.SQL); err != nil {
			return schema, err
		}
		schema.Objects = append(schema.Objects, object)
	}
	return schema, rows.Err()
}
