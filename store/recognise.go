package store

import (
	"context"

	"cxdeck/store/salvage"
	"cxdeck/store/schema"
)

// looksLikeHistory reports whether the first pages of a file have rows of sessions or windows, although its header is not that
// of a history.
func looksLikeHistory(ctx context.Context, path string) bool {
	schema, err := schema.At(ctx, schema.Newest)
	return err == nil && salvage.HasRows(path, schema.Tables, "session", "clock")
}
