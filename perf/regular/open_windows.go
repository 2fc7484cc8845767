package regular

// nonBlocking is 0 on Windows: Check rejects files that could block.
const nonBlocking = 0
