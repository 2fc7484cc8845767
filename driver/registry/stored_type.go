package registry

import "strconv"

// StoredType returns the registry's type of the key's values. Class keys of network adapters hold strings, with numbers in
// decimal, as INF files write them, unless a manual names another type; Type is then still the type that the driver reads.
func (r *Row) StoredType() Type {
	if r.Type == Number && r.Scope == Miniport && !r.TypeGiven {
		return Text
	}
	return r.Type
}

// DWordValue returns a REG_DWORD of a key whose numbers are strings; see StoredType. NumberValue is such a key's own type.
func DWordValue(n uint32) Value { return Value{kind: Number, number: n, dword: true} }

// Canonical converts a value to the lab's form for the key: a number in the key's own type is a NumberValue.
func (r *Row) Canonical(v Value) Value {
	if r.keepsNumbersAsText() && v.kind == Text {
		if n, ok := parseNumber(v.text); ok && (r.digits(n) == v.text || NumberValue(n).String() == v.text) {
			return NumberValue(n)
		}
	}
	if !r.keepsNumbersAsText() {
		v.dword = false
	}
	return v
}

// TypeOf returns the registry's type of a stored value of the key; empty for a value that does not exist.
func (r *Row) TypeOf(v Value) Type {
	if v.kind == Number && !v.dword {
		if r.keepsNumbersAsText() {
			return Text
		}
		return Number
	}
	return v.kind
}

// Decode converts a value of the key from the registry, given by its Windows type number and its bytes.
func (r *Row) Decode(number uint32, data []byte) Value {
	v := DataValue(number, data)
	if r.keepsNumbersAsText() && v.kind == Number {
		return DWordValue(v.number)
	}
	return r.Canonical(v)
}

// Encode returns the Windows type number of a stored value and its bytes in the registry, as Decode reads them.
func (r *Row) Encode(v Value) (number uint32, data []byte, ok bool) {
	if v.kind == Number && r.TypeOf(v) == Text {
		v = TextValue(r.WindowsText(v))
	}
	number, ok = v.kind.Windows()
	return number, v.Data(), ok
}

// OtherType returns the type of a stored value if it is not the key's own, "REG_DWORD"; otherwise empty.
func (r *Row) OtherType(v Value) Type {
	if kind := r.TypeOf(v); kind != r.StoredType() {
		return kind
	}
	return ""
}

// WithType returns a stored value, with its type if that is not the key's own: "1514 as REG_DWORD".
func (r *Row) WithType(v Value) string {
	if kind := r.OtherType(v); kind == Number || kind == Text {
		return v.String() + " as " + string(kind)
	}
	return v.String()
}

// WindowsText returns a stored value in the form of Windows' tools: text unchanged, numbers in decimal.
func (r *Row) WindowsText(v Value) string {
	if v.kind == Number && r.TypeOf(v) == Text {
		return r.digits(v.number)
	}
	return v.String()
}

// ParseAs reads a value as an operator types it, to be stored as REG_SZ or REG_DWORD; an empty type is the key's own.
func (r *Row) ParseAs(typed string, as Type) (Value, error) {
	if as == "" || as == r.StoredType() {
		return r.Parse(typed)
	}
	other := *r
	other.Type = as
	v, err := other.Parse(typed)
	if err == nil && as == Number && r.keepsNumbersAsText() {
		v = DWordValue(v.number)
	}
	return v, err
}

func (r *Row) keepsNumbersAsText() bool { return r.Type == Number && r.StoredType() == Text }

// digits returns the string form of a number in the registry; an automatic processor is -1.
func (r *Row) digits(n uint32) string {
	if n == Automatic && r.namesProcessor() {
		return "-1"
	}
	return strconv.FormatUint(uint64(n), 10)
}
