// Package level aggregates samples: samples become rows of one minute, and rows of minutes become rows of hours. It keeps the last
// reading, the minimum, the maximum and the sum of each cell, and packs them cell by cell, as samples are packed. It knows
// nothing of files or databases.
package level
