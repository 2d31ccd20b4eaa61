import type { Completion, Word } from './completions.ts'
import type { Shell } from './shells.ts'

/** The script that completes commands, flags and their values in a shell; anything else is completed as a file. */
export const scriptOf = (shell: Shell, completions: readonly Completion[]): string => scripts[shell](completions)

const scripts: Readonly<Record<Shell, (completions: readonly Completion[]) => string>> = {
  bash: (completions) => `# bash completion of gembench
_gembench() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= words=
${chosenAmong(completions)}
  case "$command $before" in
${valuesOf(completions)
  .map(({ command, word, values }) => `    '${command} ${word}') words='${values.join(' ')}' ;;`)
  .join('\n')}
    *) case "$command" in
${completions.map(wordsLine).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _gembench gembench
`,
  zsh: (completions) => `#compdef gembench
autoload -U +X bashcompinit && bashcompinit
${scripts.bash(completions)}`,
  fish: (completions) =>
    `# fish completion of gembench
${completions.flatMap(({ command, words, choices }) => [...choices, ...words].map((word) => fishLine(command, word))).join('\n')}
`,
}

/** The words that may follow a command; where its argument is one of a few, these, and flags behind a dash. */
function wordsLine({ command, words, choices }: Completion): string {
  const listed = (of: readonly Word[]): string => of.map(({ word }) => word).join(' ')
  return choices.length === 0
    ? `      '${command}') words='${listed(words)}' ;;`
    : `      '${command}') case "$word" in -*) words='${listed(words)}' ;; *) words='${listed(choices)}' ;; esac ;;`
}

/** Finds the command in the words before the one under way: the first, and the second where the first has commands of its own. */
function chosenAmong(completions: readonly Completion[]): string {
  const groups = new Set(completions.flatMap(({ command }) => (command.includes(' ') ? [command.split(' ')[0]] : [])))
  return `  local at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) break ;; esac
    case "$command" in
      '') command=\${COMP_WORDS[at]} ;;
      ${[...groups].join('|')}) command="$command \${COMP_WORDS[at]}" ;;
      *) break ;;
    esac
  done`
}

const valuesOf = (completions: readonly Completion[]) =>
  completions.flatMap(({ command, words }) =>
    words.flatMap(({ word, values }) => (values ? [{ command, word, values }] : [])),
  )

function fishLine(command: string, { word, about, values }: Word): string {
  const parts = command.split(' ').filter((part) => part !== '')
  const when =
    parts.length === 0
      ? '__fish_use_subcommand'
      : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ')
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
  return `complete -c gembench -n '${when}' ${what}${values ? ` -x -a '${values.join(' ')}'` : ''} -d '${about}'`
}
