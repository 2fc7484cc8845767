package shell

// Script is a script that was read and checked.
type Script struct {
	source *Source
	block  *block
	// Changes, Interrupts and Asks report that a command of the script does so.
	Changes, Interrupts, Asks bool
	// Commands has the words of each command of the host that the script calls.
	Commands [][]string
	// Simple reports that each statement is one command with literal words, which needs no evaluation.
	Simple bool
}

// node is a part of a script: its offset in the source.
type node int

func (n node) offset() int { return int(n) }

// statement is a pipeline, an assignment, a condition or a loop.
type statement interface{ offset() int }

type block struct{ statements []statement }

type assignment struct {
	node
	name  string
	adds  bool // +=
	value statement
}

type condition struct {
	node
	clauses []clause
	other   *block // nil without else
}

type clause struct {
	test statement
	body *block
}

type loop struct {
	node
	name string
	in   statement
	body *block
}

// pipeline is a value or a command, and the stages that its output passes.
type pipeline struct {
	node
	first  expression // nil if the first stage is a command
	stages []stage
}

// stage is a command, or one of the cmdlets that work on values.
type stage interface{ offset() int }

// command is a call of a command of the host.
type command struct {
	node
	name string
	// words are the literal words of a line that is read as a command of the host, with its name; arguments are nil then.
	words     []string
	program   bool
	arguments []argument
}

// argument is a part of a command: the name of a parameter, a value, both with a colon between, or a splatted variable.
type argument struct {
	node
	parameter string // without the dash
	value     expression
	splat     string
}

// expression is a part of a script that has a value.
type expression interface{ offset() int }

type (
	literal struct {
		node
		value Value
	}
	variable struct {
		node
		name, typed string // in lower case, and as it is typed
	}
	member struct {
		node
		of   expression
		name string
	}
	element struct {
		node
		of, at expression
	}
	unary struct {
		node
		operator string
		of       expression
	}
	binary struct {
		node
		operator    string
		left, right expression
	}
	// list has the values of its items, or with flat those of a block: @(...).
	list struct {
		node
		items []expression
	}
	// output has the values that a block prints: $(...), @(...) and (...).
	output struct {
		node
		block *block
		array bool // it is a list even with one value
	}
	hashtable struct {
		node
		keys   []string
		values []expression
	}
	// text is a text in double quotes, or a word, whose parts are joined.
	text struct {
		node
		parts []expression
	}
	// character is [char]N.
	character struct {
		node
		of expression
	}
	// scriptBlock is a value only as an argument of a cmdlet that runs it.
	scriptBlock struct {
		node
		block *block
	}
)
