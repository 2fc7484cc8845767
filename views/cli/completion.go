package cli

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

func runCompletion(s *session) error {
	scripts := map[string]func() string{"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript}
	if len(s.arguments) != 1 {
		return mistake("completion needs the name of a shell: %s", strings.Join(s.command.words, ", "))
	}
	script, known := scripts[s.arguments[0]]
	if !known {
		return mistake("there is no completion for %q%s", s.arguments[0], hint(s.arguments[0], s.command.words))
	}
	_, err := io.WriteString(s.streams.Out, script())
	return err
}

// completable is a flag as the completion scripts need it.
func (f flagRow) completable() (words string, files bool) {
	if f.words != nil {
		words = strings.Join(f.words(), " ")
	}
	return words, f.files
}

func commandNames() string {
	var names []string
	for _, c := range commands()[1:] {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func flagNames(c command) string {
	var names []string
	for _, row := range c.rows() {
		names = append(names, "--"+row.name)
	}
	return strings.Join(names, " ")
}

func bashScript() string {
	var b strings.Builder
	b.WriteString("# bash completion for cxdeck; load it with: source <(cxdeck completion bash)\n_cxdeck() {\n")
	b.WriteString("    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" command=\"\"\n")
	// --theme=dark comes as three words.
	b.WriteString("    [[ $word == = ]] && word=\"\" || { [[ $before == = ]] && before=\"${COMP_WORDS[COMP_CWORD-2]}\"; }\n")
	b.WriteString("    [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && command=\"${COMP_WORDS[1]}\"\n")
	b.WriteString("    case \"$before\" in\n")
	for _, row := range flags() {
		words, files := row.completable()
		switch {
		case row.value == "":
		case files:
			fmt.Fprintf(&b, "    --%s) mapfile -t COMPREPLY < <(compgen -W '%s' -f -- \"$word\"); return ;;\n", row.name, words)
		default:
			fmt.Fprintf(&b, "    --%s) mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\"); return ;;\n", row.name, words)
		}
	}
	b.WriteString("    esac\n    case \"$command\" in\n")
	for _, c := range commands() {
		words := strings.Join(c.words, " ") + " " + flagNames(c)
		if c.name == "" {
			words = commandNames() + " " + flagNames(c)
		}
		if c.name == "help" {
			words = commandNames()
		}
		fmt.Fprintf(&b, "    \"%s\") mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\") ;;\n", c.name, strings.TrimSpace(words))
	}
	b.WriteString("    esac\n}\ncomplete -F _cxdeck cxdeck\n")
	return b.String()
}

func zshScript() string {
	var b strings.Builder
	b.WriteString("#compdef cxdeck\n# zsh completion for cxdeck; load it with: source <(cxdeck completion zsh)\n_cxdeck() {\n")
	b.WriteString("  local -a commands\n  commands=(\n")
	for _, c := range commands()[1:] {
		fmt.Fprintf(&b, "    '%s:%s'\n", c.name, zshQuote(c.help))
	}
	b.WriteString("  )\n  local command=${words[2]}\n  [[ $CURRENT -le 2 || $command == -* ]] && command=''\n  case $command in\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  '%s')\n    _arguments", c.name)
		for _, row := range c.rows() {
			name := row.name
			if row.value != "" {
				name += "=" // both --theme dark and --theme=dark
			}
			fmt.Fprintf(&b, " \\\n      '--%s[%s]%s'", name, zshQuote(row.help), zshValue(row))
		}
		switch {
		case c.name == "":
			b.WriteString(" \\\n      '1:command:{_describe command commands}'")
		case c.name == "help":
			b.WriteString(" \\\n      '2:command:{_describe command commands}'")
		case len(c.words) > 0:
			fmt.Fprintf(&b, " \\\n      '2:what:(%s)'", strings.Join(c.words, " "))
		}
		b.WriteString("\n    ;;\n")
	}
	b.WriteString("  esac\n}\ncompdef _cxdeck cxdeck\n")
	return b.String()
}

func zshQuote(text string) string {
	return strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(text)
}

func zshValue(row flagRow) string {
	words, files := row.completable()
	switch {
	case row.value == "":
		return ""
	case files && words != "":
		return ":" + row.value + ":{_alternative 'words:word:(" + words + ")' 'files:file:_files'}"
	case files:
		return ":" + row.value + ":_files"
	case words != "":
		return ":" + row.value + ":(" + words + ")"
	}
	return ":" + row.value + ":"
}

func fishScript() string {
	var b strings.Builder
	b.WriteString("# fish completion for cxdeck; load it with: cxdeck completion fish | source\ncomplete -c cxdeck -f\n")
	for _, c := range commands()[1:] {
		fmt.Fprintf(&b, "complete -c cxdeck -n __fish_use_subcommand -a %s -d %s\n", c.name, fishQuote(c.help))
	}
	for _, c := range commands() {
		condition := "__fish_use_subcommand"
		if c.name != "" {
			condition = "'__fish_seen_subcommand_from " + c.name + "'"
		}
		for _, row := range c.rows() {
			fmt.Fprintf(&b, "complete -c cxdeck -n %s -l %s", condition, row.name)
			if row.short != "" {
				fmt.Fprintf(&b, " -s %s", row.short)
			}
			words, files := row.completable()
			switch {
			case row.value == "":
			case files:
				b.WriteString(" -r -F")
			default:
				// -r alone would let fish offer files too.
				b.WriteString(" -x")
			}
			if words != "" {
				fmt.Fprintf(&b, " -a %s", fishQuote(words))
			}
			fmt.Fprintf(&b, " -d %s\n", fishQuote(row.help))
		}
		if len(c.words) > 0 {
			fmt.Fprintf(&b, "complete -c cxdeck -n %s -a %s\n", condition, fishQuote(strings.Join(c.words, " ")))
		}
	}
	return b.String()
}

func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

func powershellScript() string {
	var b strings.Builder
	b.WriteString("# PowerShell completion for cxdeck; load it with: cxdeck completion powershell | Out-String | Invoke-Expression\n")
	b.WriteString("Register-ArgumentCompleter -Native -CommandName cxdeck -ScriptBlock {\n")
	b.WriteString("    param($word, $ast, $position)\n    $words = @{\n")
	for _, c := range commands() {
		all := append(append([]string{}, c.words...), strings.Fields(flagNames(c))...)
		if c.name == "" || c.name == "help" {
			all = append(strings.Fields(commandNames()), all...)
		}
		fmt.Fprintf(&b, "        '%s' = %s\n", c.name, powershellList(all))
	}
	b.WriteString("    }\n    $values = @{\n")
	for _, row := range flags() {
		if row.words != nil {
			fmt.Fprintf(&b, "        '--%s' = %s\n", row.name, powershellList(row.words()))
		}
	}
	b.WriteString(`    }
    $typed = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($word -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
    $command = if ($typed.Count -gt 0 -and $words.ContainsKey($typed[0])) { $typed[0] } else { '' }
    $last = if ($typed.Count -gt 0) { $typed[-1] } else { '' }
    $all = if ($values.ContainsKey($last)) { $values[$last] } else { $words[$command] }
    if ($word -match '^(--[^=]+)=' -and $values.ContainsKey($Matches[1])) {
        $all = $values[$Matches[1]] | ForEach-Object { $Matches[1] + '=' + $_ }
    }
    $all | Where-Object { $_ -like "$word*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`)
	return b.String()
}

func powershellList(words []string) string {
	sorted := append([]string{}, words...)
	sort.Strings(sorted)
	quoted := make([]string, len(sorted))
	for i, word := range sorted {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", "''") + "'"
	}
	return "@(" + strings.Join(quoted, ", ") + ")"
}
