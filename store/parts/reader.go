package parts

import (
	"context"
	"database/sql"
)

// GroupReader reads groups of cells of one window or block, each once.
type GroupReader struct {
	ctx   context.Context
	query *sql.Stmt
	owner int64
	known map[int][]byte
}

// Use sets the context and the query, which returns the data of a place.
func (r *GroupReader) Use(ctx context.Context, query *sql.Stmt) { r.ctx, r.query = ctx, query }

// Within sets the context.
func (r *GroupReader) Within(ctx context.Context) { r.ctx = ctx }

// Ready reports whether the reader has a query.
func (r *GroupReader) Ready() bool { return r.query != nil }

// Reset begins another window or block.
func (r *GroupReader) Reset(owner int64) {
	r.owner = owner
	if r.known == nil {
		r.known = map[int][]byte{}
	}
	clear(r.known)
}

// Group reads a group. It fails with sql.ErrNoRows when the group has no row.
func (r *GroupReader) Group(number int) ([]byte, error) {
	if data, ok := r.known[number]; ok {
		return data, nil
	}
	var data []byte
	err := r.query.QueryRowContext(r.ctx, Key(r.owner, number)).Scan(&data)
	if err != nil {
		return nil, err
	}
	r.known[number] = data
	return data, nil
}
