package sriov

import (
	"fmt"
	"math"
	"strconv"

	"cxdeck/driver/virtualization"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// fill fills the cells of a row.
func (v *View) fill(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	if v.marked[r.id] {
		cells[markColumn] = widget.TableCell{Text: string(glyphs.Checked), Style: accent}
	}
	if r.group {
		v.fillHead(glyphs, r, cells)
		return
	}
	cells[idColumn] = widget.TableCell{Text: "-", Style: muted}
	if r.vf != nil {
		cells[idColumn] = widget.TableCell{Text: strconv.Itoa(r.vf.ID)}
	}
	room := v.Table.ColumnWidth(int(vmColumn))
	switch {
	case v.group == byVM && r.nic != nil:
		cells[vmColumn] = widget.TableCell{Text: widget.CutName(r.nic.Name, room, glyphs.Ellipsis)}
	case r.vmName() != "":
		cells[vmColumn] = widget.TableCell{Text: widget.CutName(r.vmName(), room, glyphs.Ellipsis)}
	case v.group != byPort && r.port != nil:
		cells[vmColumn] = widget.TableCell{Text: widget.CutName(r.port.Description.Connection, room, glyphs.Ellipsis),
			Style: muted}
	}
	cells[stateColumn] = stateCell(glyphs, r)
	if r.nic != nil {
		cells[pathColumn] = widget.TableCell{Text: string(r.nic.Path)}
		if r.nic.Path != virtualization.PathVF {
			cells[pathColumn].Style = muted
		}
	}
	cells[macColumn] = widget.TableCell{Text: r.mac()}
	cells[vlanColumn] = widget.TableCell{Text: "-", Style: muted}
	if id := r.vlan(); id > 0 {
		cells[vlanColumn] = widget.TableCell{Text: strconv.Itoa(id)}
	}
	v.fillLoad(glyphs, r, cells)
}

// fillHead fills the cells of a heading.
func (v *View) fillHead(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	var name string
	if r.vm != nil {
		name = r.vm.Name
		cells[stateColumn] = vmState(glyphs, r.vm)
		if r.vm.GuestDriver == "" {
			cells[macColumn] = widget.TableCell{Text: "no guest driver", Style: muted}
		} else {
			cells[macColumn] = widget.TableCell{Text: "driver " + r.vm.GuestDriver, Style: muted}
		}
	} else {
		name = r.port.Description.Connection
		cells[stateColumn] = portState(glyphs, &r.port.SRIOV)
		cells[macColumn] = widget.TableCell{Text: r.card.Description.Name, Style: muted}
	}
	cells[vmColumn] = widget.TableCell{Text: widget.CutName(name, v.Table.ColumnWidth(int(vmColumn)), glyphs.Ellipsis),
		Style: bold}
}

// portState returns the state of SR-IOV at a port, with the number of attached and enabled functions.
func portState(glyphs *themes.Glyphs, s *virtualization.SRIOVView) widget.TableCell {
	if s.Open == 0 {
		return widget.TableCell{Text: string(glyphs.Down) + " no VFs", Style: muted}
	}
	glyph, style := glyphs.Up, good
	if firstFailed(s) != nil {
		glyph, style = glyphs.Warning, warning
	}
	return widget.TableCell{Text: fmt.Sprintf("%c %d/%d VFs", glyph, s.Attached, s.Open), Style: style}
}

func countVFs(n int) string {
	if n == 1 {
		return "1 VF"
	}
	return fmt.Sprintf("%d VFs", n)
}

// vmState returns the state of a virtual machine with its glyph.
func vmState(glyphs *themes.Glyphs, vm *virtualization.VMView) widget.TableCell {
	switch vm.State {
	case virtualization.VMRunning:
		return widget.TableCell{Text: string(glyphs.Up) + " running", Style: good}
	case virtualization.VMPaused:
		return widget.TableCell{Text: string(glyphs.Restarting) + " paused", Style: pending}
	case virtualization.VMSaved:
		return widget.TableCell{Text: string(glyphs.Down) + " saved", Style: muted}
	default:
		return widget.TableCell{Text: string(glyphs.Down) + " off", Style: muted}
	}
}

// stateCell returns the state of a function or an adapter with its glyph.
func stateCell(glyphs *themes.Glyphs, r *row) widget.TableCell {
	glyph, style := glyphs.Up, good
	switch word := r.stateText(); word {
	case "quarantined":
		glyph, style = glyphs.Failed, bad
	case "blocked", "watched", "no VF":
		glyph, style = glyphs.Warning, warning
	case "idle":
		glyph, style = glyphs.Restarting, pending
	case "free", "off", "saved", "no switch":
		glyph, style = glyphs.Down, muted
	case "paused":
		glyph, style = glyphs.Restarting, pending
	}
	return widget.TableCell{Text: string(glyph) + " " + r.stateText(), Style: style}
}

// fillLoad fills the cells of a row's traffic and of its load on the firmware.
func (v *View) fillLoad(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	idle := r.vf != nil && r.vf.State == virtualization.VFFree && r.load == (labstate.Load{})
	number := func(c column, value float64, text string, look themes.Style) {
		cells[c] = widget.TableCell{Text: text, Style: look}
		switch {
		case value == 0:
			cells[c] = widget.TableCell{Text: "0", Style: muted}
		case math.IsNaN(value):
			cells[c] = widget.TableCell{Text: "-", Style: muted}
		}
	}
	number(receiveColumn, r.load.Receive, v.deck.ByteRate(r.load.Receive), text)
	number(sendColumn, r.load.Send, v.deck.ByteRate(r.load.Send), text)
	number(dropsColumn, r.load.Drops, small(r.load.Drops), bad)
	number(spoofedColumn, r.load.Spoofed, small(r.load.Spoofed), warning)
	number(useColumn, r.load.Use, useText(r.load.Use), useStyle(r.load.Use))
	number(errorsColumn, r.load.Errors, small(r.load.Errors)+" "+string(glyphs.Warning), warning)
	cells[pagesColumn] = pagesCell(glyphs, r.vf)
	if idle {
		return
	}
	cells[heatColumn] = heatCell(glyphs, r.heat)
	cells[sparkColumn] = widget.TableCell{Text: v.sparkline(glyphs, r), Style: heats[heatAt(r.heat)].style}
}

// hot is the lowest use of the firmware that is shown in colour, in percent per second.
const hot = 25

// useText formats the use of the firmware, in percent per second; "-" if it is unknown.
func useText(use float64) string {
	if math.IsNaN(use) {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", use)
}

func useStyle(use float64) themes.Style {
	if use >= hot {
		return warning
	}
	return text
}

// small formats a number per second in three digits.
func small(value float64) string { return perf.Number(value, perf.NoUnit, false, false) }

// pagesCell returns the host memory of a function in pages, with its limit if there is one.
func pagesCell(glyphs *themes.Glyphs, vf *virtualization.VFView) widget.TableCell {
	switch {
	case vf == nil:
		return widget.TableCell{Text: "-", Style: muted}
	case vf.PageLimit == 0:
		return widget.TableCell{Text: strconv.Itoa(vf.Pages)}
	case vf.Pages >= vf.PageLimit:
		return widget.TableCell{Text: pages(vf.Pages) + "/" + pages(vf.PageLimit) + string(glyphs.Warning),
			Style: warning}
	default:
		return widget.TableCell{Text: pages(vf.Pages) + "/" + pages(vf.PageLimit)}
	}
}

// pages formats a number of pages in at most four cells, with k, M or G from 10,000 on.
func pages(n int) string {
	switch {
	case n < 1e4:
		return strconv.Itoa(n)
	case n < 1e6:
		return strconv.Itoa(n/1e3) + "k"
	case n < 1e9:
		return strconv.Itoa(n/1e6) + "M"
	default:
		return strconv.Itoa(n/1e9) + "G"
	}
}

// heats are the levels of heat in ascending order, each with a word, so that they are distinct without colour.
var heats = []struct {
	from  float64
	level int // of the glyph
	word  string
	style themes.Style
}{{0, 0, "low", muted}, {0.25, 2, "mid", good}, {0.5, 5, "high", warning}, {0.75, 7, "top", bad}}

func heatCell(glyphs *themes.Glyphs, heat float64) widget.TableCell {
	if !(heat > 0) {
		return widget.TableCell{Text: "-", Style: muted}
	}
	band := &heats[heatAt(heat)]
	return widget.TableCell{Text: fmt.Sprintf("%c%s", glyphs.Full[band.level], band.word), Style: band.style}
}

// heatAt returns the index in heats of a heat between 0 and 1.
func heatAt(heat float64) (at int) {
	for i := range heats {
		if heat >= heats[i].from {
			at = i
		}
	}
	return at
}
