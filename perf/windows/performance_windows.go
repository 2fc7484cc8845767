package windows

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The functions of pdh.dll.
var (
	pdhLibrary              = windows.NewLazySystemDLL("pdh.dll")
	pdhOpenQuery            = pdhLibrary.NewProc("PdhOpenQueryW")
	pdhCloseQuery           = pdhLibrary.NewProc("PdhCloseQuery")
	pdhAddEnglishCounter    = pdhLibrary.NewProc("PdhAddEnglishCounterW")
	pdhAddCounter           = pdhLibrary.NewProc("PdhAddCounterW")
	pdhCollectQueryData     = pdhLibrary.NewProc("PdhCollectQueryData")
	pdhFormattedArray       = pdhLibrary.NewProc("PdhGetFormattedCounterArrayW")
	pdhEnumerateObjects     = pdhLibrary.NewProc("PdhEnumObjectsW")
	pdhEnumerateObjectItems = pdhLibrary.NewProc("PdhEnumObjectItemsW")
	pdhFormattedValue       = pdhLibrary.NewProc("PdhGetFormattedCounterValue")
	wineVersion             = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version")
)

// works reports whether a function can be called. Wine exports the functions that it lacks, too, and a call of one ends the program.
func works(function *windows.LazyProc) bool {
	return function.Find() == nil && wineVersion.Find() != nil
}

// The statuses and formats of PDH.
const (
	pdhMoreData       = 0x800007D2
	pdhNoData         = 0x800007D5
	pdhNoObject       = 0xC0000BB8
	pdhNoCounter      = 0xC0000BB9
	pdhNoInstance     = 0x800007D1
	pdhBadPath        = 0xC0000BC0
	pdhFormatDouble   = 0x00000200
	pdhFormatNoCap    = 0x00008000
	pdhValidData      = 0x00000000
	pdhNewData        = 0x00000001
	detailWizard      = 400
	maxListLength     = 1 << 22
	maxArrayLength    = 1 << 26
	formattedItemSize = unsafe.Sizeof(formattedItem{})
)

// formattedItem is PDH_FMT_COUNTERVALUE_ITEM_W.
type formattedItem struct {
	name   *uint16
	status uint32
	_      uint32
	value  float64
}

// statusError is a status of PDH.
type statusError struct {
	function string
	status   uint32
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s failed with status 0x%08x", e.function, e.status)
}

// performance is a query of Performance Monitor.
type performance struct {
	query  uintptr
	handle []uintptr
	buffer []byte
}

func openPerformance() (*performance, error) {
	if err := pdhLibrary.Load(); err != nil {
		return nil, err
	}
	p := &performance{}
	if status, _, _ := pdhOpenQuery.Call(0, 0, uintptr(unsafe.Pointer(&p.query))); uint32(status) != 0 {
		return nil, &statusError{"PdhOpenQuery", uint32(status)}
	}
	return p, nil
}

// Add watches all instances, and for a set without instances the counter itself.
func (p *performance) Add(set, counter string, local bool) (int, error) {
	add := pdhAddEnglishCounter
	if local {
		add = pdhAddCounter
	}
	var status uintptr
	for _, path := range []string{`\` + set + `(*)\` + counter, `\` + set + `\` + counter} {
		text, err := windows.UTF16PtrFromString(path)
		if err != nil {
			return 0, err
		}
		var handle uintptr
		status, _, _ = add.Call(p.query, uintptr(unsafe.Pointer(text)), 0, uintptr(unsafe.Pointer(&handle)))
		if uint32(status) == 0 {
			p.handle = append(p.handle, handle)
			return len(p.handle) - 1, nil
		}
	}
	switch uint32(status) {
	case pdhNoObject, pdhNoCounter, pdhNoInstance, pdhBadPath:
		return 0, ErrAbsent
	}
	return 0, &statusError{"PdhAddCounter", uint32(status)}
}

// Sets lists the installed sets.
func (p *performance) Sets(pass func(name string) bool) ([]OtherSet, error) {
	if !works(pdhEnumerateObjects) || !works(pdhEnumerateObjectItems) {
		return nil, ErrUnlisted
	}
	names, err := readLists(func(buffer *uint16, length *uint32) uintptr {
		status, _, _ := pdhEnumerateObjects.Call(0, 0, uintptr(unsafe.Pointer(buffer)), uintptr(unsafe.Pointer(length)), detailWizard, 1)
		return status
	})
	if err != nil {
		return nil, err
	}
	var sets []OtherSet
	for _, name := range names {
		if !pass(name) {
			continue
		}
		text, err := windows.UTF16PtrFromString(name)
		if err != nil {
			continue
		}
		counters, err := readLists(func(buffer *uint16, length *uint32) uintptr {
			instances := make([]uint16, maxListLength/16)
			instancesLength := uint32(len(instances))
			status, _, _ := pdhEnumerateObjectItems.Call(0, 0, uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(buffer)), uintptr(unsafe.Pointer(length)),
				uintptr(unsafe.Pointer(&instances[0])), uintptr(unsafe.Pointer(&instancesLength)), detailWizard, 0)
			return status
		})
		if err == nil && len(counters) > 0 {
			sets = append(sets, OtherSet{Name: name, Counters: counters})
		}
	}
	return sets, nil
}

// readLists reads a list of texts, each with a zero at its end, into a buffer that grows until the function accepts it.
func readLists(call func(buffer *uint16, length *uint32) uintptr) ([]string, error) {
	for size := uint32(1 << 14); size <= maxListLength; size *= 2 {
		buffer := make([]uint16, size)
		length := size
		switch status := uint32(call(&buffer[0], &length)); status {
		case 0:
			return splitList(buffer[:min(length, size)]), nil
		case pdhMoreData:
		default:
			return nil, &statusError{"PdhEnumObjects", status}
		}
	}
	return nil, errors.New("the list of counters is too long")
}

// Collect takes a sample. A query whose sets have no instances now has no data, which is no error.
func (p *performance) Collect() error {
	status, _, _ := pdhCollectQueryData.Call(p.query)
	if uint32(status) != 0 && uint32(status) != pdhNoData {
		return &statusError{"PdhCollectQueryData", uint32(status)}
	}
	return nil
}

// Read appends the values of all instances.
func (p *performance) Read(handle int, dst []Reading) ([]Reading, error) {
	if !works(pdhFormattedArray) {
		return p.readOne(handle, dst)
	}
	for {
		size, count := uint32(len(p.buffer)), uint32(0)
		var buffer unsafe.Pointer
		if size > 0 {
			buffer = unsafe.Pointer(&p.buffer[0])
		}
		status, _, _ := pdhFormattedArray.Call(p.handle[handle], pdhFormatDouble|pdhFormatNoCap, uintptr(unsafe.Pointer(&size)),
			uintptr(unsafe.Pointer(&count)), uintptr(buffer))
		switch uint32(status) {
		case 0:
			if uintptr(count)*formattedItemSize > uintptr(len(p.buffer)) {
				return dst, errors.New("the answer of PDH is too long")
			}
			if count == 0 {
				return dst, nil
			}
			for _, item := range unsafe.Slice((*formattedItem)(buffer), count) {
				name := windows.UTF16PtrToString(item.name)
				dst = append(dst, Reading{Instance: name, Value: item.value, Valid: item.status == pdhValidData || item.status == pdhNewData})
			}
			return numberInstances(dst), nil
		case pdhMoreData:
			if size > maxArrayLength || int(size) <= len(p.buffer) {
				return dst, errors.New("the answer of PDH is too long")
			}
			p.buffer = slices.Grow(p.buffer[:0], int(size))[:size]
		default:
			return dst, &statusError{"PdhGetFormattedCounterArray", uint32(status)}
		}
	}
}

// readOne appends the value of a counter without instances.
func (p *performance) readOne(handle int, dst []Reading) ([]Reading, error) {
	var value struct {
		status uint32
		_      uint32
		value  float64
	}
	status, _, _ := pdhFormattedValue.Call(p.handle[handle], pdhFormatDouble|pdhFormatNoCap, 0, uintptr(unsafe.Pointer(&value)))
	if uint32(status) != 0 {
		return dst, &statusError{"PdhGetFormattedCounterValue", uint32(status)}
	}
	return append(dst, Reading{Value: value.value, Valid: value.status == pdhValidData || value.status == pdhNewData}), nil
}

// Close ends the query.
func (p *performance) Close() error {
	if status, _, _ := pdhCloseQuery.Call(p.query); uint32(status) != 0 {
		return &statusError{"PdhCloseQuery", uint32(status)}
	}
	return nil
}
