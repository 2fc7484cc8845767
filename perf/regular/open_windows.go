package regular

// neverWait is nothing here: what could wait is not opened.
const neverWait = 0
