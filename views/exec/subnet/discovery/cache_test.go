package discovery

import "testing"

// FuzzReadScan: no file makes the reader panic, and what it reads can be saved and read again. The seeds in testdata include the
// saved discovery of a subnet of two switches and four hosts.
func FuzzReadScan(f *testing.F) {
	f.Add([]byte("\x2b\x83\xe7\x8f\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		loaded, err := readScan(data)
		if err != nil {
			return
		}
		if _, err := readScan(saveScan(loaded)); err != nil {
			t.Error(err)
		}
	})
}
