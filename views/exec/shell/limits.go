package shell

// Limits of a script, which may come from an untrusted file.
const (
	// MaxBytes is the maximum length of a script with PowerShell syntax.
	MaxBytes = 1 << 20
	// maxDepth is the maximum nesting of expressions and blocks.
	maxDepth = 64
	// maxChain is the maximum number of operators of one level, and of members of a value.
	maxChain = 1000
	// maxSteps is the maximum number of statements, script blocks and calls that a run evaluates.
	maxSteps = 100_000
	// maxCalls is the maximum number of commands that a run calls.
	maxCalls = 10_000
	// maxValues is the maximum number of values of a list or pipeline.
	maxValues = 100_000
	// maxText is the maximum length of a text that a script builds, in bytes.
	maxText = 64 << 10
	// maxPattern is the maximum length of a pattern, in bytes.
	maxPattern = 600
)
