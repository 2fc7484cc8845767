// Package diagnose implements the Diagnose screen: what is wrong, the worst first, and what was wrong, with the evidence, the
// explanation and the fixes of the selected finding. The rules belong to driver/health/findings.
package diagnose
