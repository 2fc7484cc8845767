package store

import (
	"context"

	"cxdeck/store/salvage"
	"cxdeck/store/schema"
)

// looksLikeHistory reports whether there are rows of sessions or their windows in the first pages of a file whose header is not,
// or is no longer a history.
func looksLikeHistory(ctx context.Context, path string) bool {
	schema, err := schema.At(ctx, schema.Newest)
	return err == nil && salvage.HasRows(path, schema.Tables, "session", "clock")
}
