package windows

import (
	"encoding/xml"
	"errors"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The functions of wevtapi.dll.
var (
	eventLibrary = windows.NewLazySystemDLL("wevtapi.dll")
	evtQuery     = eventLibrary.NewProc("EvtQuery")
	evtNext      = eventLibrary.NewProc("EvtNext")
	evtRender    = eventLibrary.NewProc("EvtRender")
	evtClose     = eventLibrary.NewProc("EvtClose")
)

const (
	evtQueryChannel   = 0x1
	evtQueryReverse   = 0x200
	evtRenderEventXML = 1
	evtTimeout        = 1000
	maxEvents         = 1000
)

// systemLog reads the channel System.
type systemLog struct{}

func openLog() (Log, error) {
	if err := eventLibrary.Load(); err != nil {
		return nil, err
	}
	return systemLog{}, nil
}

// Read returns the newest events, at most maxEvents of them.
func (systemLog) Read(after uint64, skip bool) (records []string, newest uint64, err error) {
	channel, err := windows.UTF16PtrFromString("System")
	if err != nil {
		return nil, after, err
	}
	condition, err := windows.UTF16PtrFromString(query(after))
	if err != nil {
		return nil, after, err
	}
	result, _, failure := evtQuery.Call(0, uintptr(unsafe.Pointer(channel)), uintptr(unsafe.Pointer(condition)), evtQueryChannel|evtQueryReverse)
	if result == 0 {
		return nil, after, failure
	}
	defer evtClose.Call(result) //nolint:errcheck // a query
	newest = after
	for len(records) < maxEvents {
		var event uintptr
		var count uint32
		ok, _, failure := evtNext.Call(result, 1, uintptr(unsafe.Pointer(&event)), evtTimeout, 0, uintptr(unsafe.Pointer(&count)))
		if ok == 0 || count == 0 {
			if errors.Is(failure, windows.ERROR_NO_MORE_ITEMS) || ok != 0 {
				break
			}
			return nil, after, failure
		}
		text, err := render(event)
		evtClose.Call(event) //nolint:errcheck // an event
		if err != nil {
			continue
		}
		var r record
		if xml.Unmarshal([]byte(text), &r) == nil {
			newest = max(newest, r.System.Record)
		}
		if skip {
			return nil, newest, nil // the newest event is first
		}
		records = append(records, text)
	}
	slices.Reverse(records)
	return records, newest, nil
}

func render(event uintptr) (string, error) {
	buffer := make([]uint16, maxEvent/2)
	var used, properties uint32
	ok, _, failure := evtRender.Call(0, event, evtRenderEventXML, uintptr(2*len(buffer)), uintptr(unsafe.Pointer(&buffer[0])),
		uintptr(unsafe.Pointer(&used)), uintptr(unsafe.Pointer(&properties)))
	if ok == 0 {
		return "", failure
	}
	return windows.UTF16ToString(buffer), nil
}
