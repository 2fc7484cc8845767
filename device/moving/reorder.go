package moving

// New is the former place of an element that is new.
const New = -1

// Places returns the places of n elements in their order.
func Places(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}

// Reorder returns a list with each items for every element, in a new order; from has the former place of each element. A new element
// gets the initial value.
func Reorder[T any](items []T, from []int, each int, initial T) []T {
	moved := make([]T, 0, each*len(from))
	for _, before := range from {
		for i := range each {
			if before == New {
				moved = append(moved, initial)
			} else {
				moved = append(moved, items[each*before+i])
			}
		}
	}
	return moved
}
