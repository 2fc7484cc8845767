package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decode reads one JSON value, and refuses unknown keys and data after it.
func Decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is data after the end")
	}
	return nil
}
