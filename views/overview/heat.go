package overview

import (
	"cmp"
	"math"
	"slices"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// fleetOrders are the orders of the hosts of a fleet, in which the sort key steps; their places have no meaning.
var fleetOrders = []order{byTrouble, byDrops, byPauses, byErrors, byUtilisation, byRate, byName}

// setUtilisation sets the use of the line of each port in its busier direction, as a share of the line rate, and of each host the
// largest of its ports; NaN if unknown.
func setUtilisation(nodes []perf.Node, figures []nodeValues, schema *perf.Schema) {
	for i := range nodes {
		n, f := &nodes[i], &figures[i]
		f.utilisation = math.NaN()
		if n.Kind != perf.PortNode || n.Speed == 0 || schema == nil {
			continue
		}
		unit, _ := deck.UnitOf(schema, append(slices.Clip(n.Receive), n.Send...))
		counted, _ := unit.Counted()
		bits, known := map[perf.Unit]float64{perf.Bytes: 8, perf.Kilobytes: 8000}[counted]
		busier := max(deck.Known(f.receive), deck.Known(f.send))
		if !known || math.IsNaN(f.receive) && math.IsNaN(f.send) {
			continue
		}
		f.utilisation = busier * bits / float64(n.Speed)
		if p := n.Parent; p >= 0 && p < i && !(figures[p].utilisation > f.utilisation) {
			figures[p].utilisation = f.utilisation
		}
	}
}

// heatOf returns the number by which an order sorts the hosts of a fleet; NaN if it is unknown, and for other orders.
func heatOf(f *nodeValues, by order) float64 {
	switch by {
	case byDrops:
		return f.drops
	case byPauses:
		return f.troubles.pause()
	case byErrors:
		return f.troubles[linkErrors]
	case byUtilisation:
		return f.utilisation
	default:
		return math.NaN()
	}
}

// sortByHeat sorts nodes by the number of an order, the largest first and unknown ones last, then by traffic.
func sortByHeat(siblings []int, figures []nodeValues, by order) {
	value := func(i int) float64 {
		if v := heatOf(&figures[i], by); !math.IsNaN(v) {
			return v
		}
		return -1
	}
	slices.SortStableFunc(siblings, func(a, b int) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(figures[b].weight, figures[a].weight))
	})
}

// heatFrom are the numbers from which a cell has each level of heat: packets per second, shares of the time, and shares of the line.
var heatFrom = map[order][3]float64{
	byDrops:       {math.SmallestNonzeroFloat64, 100, 10_000},
	byPauses:      {pauseFrom, 0.1, 0.3},
	byErrors:      {math.SmallestNonzeroFloat64, 10, 1000},
	byUtilisation: {0.5, 0.75, 0.9},
}

// heatColumns are the columns of the orders with heat.
var heatColumns = map[order]int{byDrops: dropsColumn, byPauses: pausedColumn, byErrors: damagedColumn, byUtilisation: utilisationColumn}

// warm lays the heat under the cells of a row of a fleet: under the column of the order, or under all of them when the order is trouble.
func (v *View) warm(f *nodeValues, cells []widget.TableCell) {
	for by, column := range heatColumns {
		if v.order != by && v.order != byTrouble {
			continue
		}
		value := heatOf(f, by)
		for level, from := range heatFrom[by] {
			if value >= from {
				cells[column].Style.Ground = [...]themes.Ground{themes.Heat1, themes.Heat2, themes.Heat3}[level]
			}
		}
	}
}

// utilisationCell returns the cell of the use of a line, in percent.
func utilisationCell(value float64) widget.TableCell {
	cell := widget.TableCell{Text: "-", Style: themes.Style{Role: themes.Muted}}
	if !math.IsNaN(value) {
		cell.Text = perf.Number(math.Round(value*100), perf.Percent, false, false)
		if value >= heatFrom[byUtilisation][0] {
			cell.Style = themes.Style{}
		}
	}
	return cell
}
