package completion

// Script returns the completion script of a shell.
func Script(shell string) (text string, ok bool) {
	script, ok := map[string]func() string{"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript}[shell]
	if !ok {
		return "", false
	}
	return script(), true
}

// The scripts call the program for words (see the command __complete), so that they fit all its versions and complete names of the
// host. Names come from outside, so the scripts never evaluate them.

func bashScript() string {
	return `# bash completion for cxdeck; load it with: source <(cxdeck completion bash)
_cxdeck() {
    local line kind=""
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <("${1/#\~/$HOME}" __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    [[ $kind == files ]] && compopt -o default
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
complete -F _cxdeck cxdeck
`
}

func zshScript() string {
	return `#compdef cxdeck
# zsh completion for cxdeck; load it with: source <(cxdeck completion zsh)
_cxdeck() {
  local line kind=''
  local -a lines names texts
  lines=("${(@f)$("${${(Q)words[1]}/#\~/$HOME}" __complete zsh "${(@Q)words[2,CURRENT-1]}" ":${(Q)PREFIX}" 2>/dev/null)}")
  kind=$lines[1]
  for line in "${(@)lines[2,-1]}"; do
    names+=("${line%%$'\t'*}")
    texts+=("${line/$'\t'/  }")
  done
  if (( $#names )); then
    if [[ $names[1] == "${(Q)PREFIX}"* ]]; then
      compadd -l -d texts -a names
    else
      compadd -U -l -d texts -a names
    fi
  fi
  [[ $kind == files ]] && _files
}
compdef _cxdeck cxdeck
`
}

func fishScript() string {
	return `# fish completion for cxdeck; load it with: cxdeck completion fish | source
function __cxdeck_complete
    set -l typed (commandline -opc)
    set -l part (commandline -ct)
    set -l program $typed[1]
    set -e typed[1]
    set -l lines ($program __complete fish $typed ":$part" 2>/dev/null)
    test (count $lines) -gt 0; or return
    set -l kind $lines[1]
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\n' $lines
    test "$kind" = files; and __fish_complete_path "$part"
end
complete -c cxdeck -f -a '(__cxdeck_complete)'
`
}

func powershellScript() string {
	return `# PowerShell completion for cxdeck; load it with: cxdeck completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cxdeck -ScriptBlock {
    param($part, $ast, $position)
    $typed = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
    })
    $lines = @(& $ast.CommandElements[0].Value __complete powershell @typed ":$part" 2>$null)
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $word, $help = $_ -split "` + "`" + `t", 2
        $text = $word
        if ($word -match '[^\w./:=%+-]') { $text = "'" + ($word -replace "'", "''") + "'" }
        if (-not $help) { $help = $word }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $help)
    }
}
`
}
