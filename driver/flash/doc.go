// Package flash holds the firmware images in the flash of the host's cards: what runs, what is burnt and runs from the next reset on, and
// what an interrupted burn leaves. It has the releases of firmware that exist, and the Operations that burn an image. A card that was
// never burnt has no record: its description says what runs.
package flash
