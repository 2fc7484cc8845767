// Package level sums up samples: samples become rows of a minute each, and rows of minutes become rows of hours. It keeps the
// last reading, the smallest, the largest and the sum of each cell, and packs them cell by cell, as samples are packed. It knows
// nothing of files or databases.
package level
