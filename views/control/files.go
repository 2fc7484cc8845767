package control

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"cxdeck/driver/script"
)

// Files accesses files of a client. The client itself reads and writes them: with its rights, in its working directory.
type Files struct {
	conn *conn
	ctx  context.Context
}

// Read returns a regular file of at most limit bytes.
func (f *Files) Read(path string, limit int64) (data []byte, err error) {
	f.conn.outside(func() { data, err = f.read(path, limit) })
	return data, err
}

func (f *Files) read(path string, limit int64) ([]byte, error) {
	answer, err := f.conn.query(f.ctx, &query{Read: &readFile{path, limit}}, fileTime)
	if err != nil {
		return nil, err
	}
	if answer.Size < 0 || answer.Size > limit {
		return nil, errProtocol
	}
	return f.conn.data(f.ctx, answer.Size)
}

// Write writes files, each completely or not at all.
func (f *Files) Write(files []script.File, replace bool) (err error) {
	f.conn.outside(func() { err = f.write(files, replace) })
	return err
}

func (f *Files) write(files []script.File, replace bool) error {
	q := &query{Write: &writeFile{Replace: replace}}
	for _, file := range files {
		q.Write.Files = append(q.Write.Files, fileSize{file.Path, int64(len(file.Data))})
	}
	if err := f.conn.send(&message{Query: q}); err != nil {
		return errGone
	}
	for _, file := range files {
		for sent := 0; sent < len(file.Data); sent += maxData {
			if err := f.conn.write(frameData, file.Data[sent:min(sent+maxData, len(file.Data))]); err != nil {
				return errGone
			}
		}
	}
	_, err := f.conn.reply(f.ctx, fileTime)
	return err
}

// Stream writes a file. The client learns the size first, so that the file is in memory once.
func (f *Files) Stream(path string, replace bool, write func(io.Writer) error) error {
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return err
	}
	return f.Write([]script.File{{Path: path, Data: whole.Bytes()}}, replace)
}

// Folder makes a folder.
func (f *Files) Folder(name string) (path string, err error) {
	var answer reply
	f.conn.outside(func() { answer, err = f.conn.query(f.ctx, &query{Folder: &name}, fileTime) })
	return answer.Text, err
}

// ask waits for the client's answer to a printed question, at most askTime.
func (c *conn) ask(ctx context.Context) string {
	var answer reply
	var err error
	c.outside(func() { answer, err = c.query(ctx, &query{Ask: true}, askTime) })
	if err != nil {
		c.abort() // the client has left
	}
	return answer.Text
}

// query asks the client for something and waits for the reply.
func (c *conn) query(ctx context.Context, q *query, limit time.Duration) (reply, error) {
	if err := c.send(&message{Query: q}); err != nil {
		return reply{}, errGone
	}
	return c.reply(ctx, limit)
}

func (c *conn) reply(ctx context.Context, limit time.Duration) (reply, error) {
	got, err := c.next(ctx, limit)
	switch {
	case err != nil:
		return reply{}, err
	case got.message.Reply == nil:
		return reply{}, errProtocol
	}
	return *got.message.Reply, got.message.Reply.Error.unpack()
}

// data receives a number of bytes within a time limit.
func (c *conn) data(ctx context.Context, size int64) ([]byte, error) {
	var whole []byte
	end := time.Now().Add(fileTime)
	for int64(len(whole)) < size {
		got, err := c.next(ctx, time.Until(end))
		switch {
		case err != nil:
			return nil, fmt.Errorf("the file did not arrive completely: %w", err)
		case got.frame.kind != frameData, len(got.frame.payload) == 0, int64(len(whole)+len(got.frame.payload)) > size:
			return nil, errProtocol
		}
		whole = append(whole, got.frame.payload...)
	}
	return whole, nil
}
