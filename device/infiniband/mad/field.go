package mad

import (
	"fmt"
	"strings"
)

// Size is the number of bytes of an attribute of subnet management.
const Size = 64

// Field is a field of an attribute. Offset counts bits from the most significant bit of the first byte.
type Field struct {
	Offset, Bits int
	Name         string
	// text writes a value; nil writes a decimal number.
	text func(f Field, value uint64) string
}

// Get returns the field's value; bits beyond the data are 0.
func (f Field) Get(data []byte) uint64 {
	var value uint64
	if f.Offset%8 == 0 && f.Bits%8 == 0 {
		for i := f.Offset / 8; i < (f.Offset+f.Bits)/8; i++ {
			value <<= 8
			if i < len(data) {
				value |= uint64(data[i])
			}
		}
		return value
	}
	for bit := f.Offset; bit < f.Offset+f.Bits; bit++ {
		value <<= 1
		if bit/8 < len(data) {
			value |= uint64(data[bit/8]>>(7-bit%8)) & 1
		}
	}
	return value
}

// Set writes a value, of which only as many bits count as the field has.
func (f Field) Set(data []byte, value uint64) {
	for bit := f.Offset + f.Bits - 1; bit >= f.Offset; bit-- {
		mask := byte(1) << (7 - bit%8)
		data[bit/8] &^= mask
		if value&1 == 1 {
			data[bit/8] |= mask
		}
		value >>= 1
	}
}

// SetUpTo writes a value, or the field's greatest one for a larger value: a counter of hardware stops there.
func (f Field) SetUpTo(data []byte, value uint64) {
	if f.Bits < 64 {
		value = min(value, 1<<f.Bits-1)
	}
	f.Set(data, value)
}

// Text returns the value as the programs print it.
func (f Field) Text(data []byte) string { return f.Format(f.Get(data)) }

// Format writes a value of the field.
func (f Field) Format(value uint64) string {
	if f.text == nil {
		return fmt.Sprint(value)
	}
	return f.text(f, value)
}

// nameWidth is the column at which the values of printed fields begin.
const nameWidth = 32

// Line writes a name and a value, with dots between them.
func Line(name, value string) string {
	return name + ":" + strings.Repeat(".", max(1, nameWidth-len(name))) + value + "\n"
}

// Print writes fields, a line each.
func Print(fields []Field, data []byte) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(Line(f.Name, f.Text(data)))
	}
	return b.String()
}

// hex writes a value with the digits of the field's whole bytes.
func hex(f Field, value uint64) string { return fmt.Sprintf("0x%0*x", (f.Bits+7)/8*2, value) }

// table is a value printer for enumerated values, with a form for others.
func table(other string, names map[uint64]string) func(Field, uint64) string {
	return func(_ Field, value uint64) string {
		if name, ok := names[value]; ok {
			return name
		}
		return fmt.Sprintf(other, value)
	}
}

// set is a value printer for the bits of a set: the names of the lowest bits, with "or" between them.
func set(names ...string) func(Field, uint64) string {
	return func(_ Field, value uint64) string {
		var found []string
		for i, name := range names {
			if value>>i&1 == 1 {
				found = append(found, name)
			}
		}
		if value == 0 || value>>len(names) != 0 {
			found = append(found, fmt.Sprintf("undefined (%d)", value))
		}
		return strings.Join(found, " or ")
	}
}

// capabilities is a value printer for a mask: the mask, then a line for each bit that has a name.
func capabilities(names map[int]string) func(Field, uint64) string {
	return func(_ Field, value uint64) string {
		var b strings.Builder
		fmt.Fprintf(&b, "0x%x", value)
		for bit := range 32 {
			if name, ok := names[bit]; ok && value>>bit&1 == 1 {
				b.WriteString("\n\t\t\t\t" + name)
			}
		}
		return b.String()
	}
}
