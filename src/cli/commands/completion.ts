import type { Command } from 'commander'

/** Shells that there is a completion script for. */
export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

/** What may follow where the command line begins with the words of `path` and, where `flag` is given, ends with it. */
interface Case {
  readonly path: string
  readonly flag?: string
  readonly words: readonly string[]
}

/** The script that completes commands, flags and their values in a shell; anything else is completed as a file. */
export const scriptOf = (shell: Shell, program: Command): string => scripts[shell](casesOf(program, ' '))

function casesOf(command: Command, path: string): readonly Case[] {
  const { commands, options, registeredArguments } = command
  const flags = options.flatMap(({ long, argChoices }) => (long == null ? [] : [{ long, argChoices }]))
  return [
    ...commands.flatMap((child) => casesOf(child, `${path}${child.name()} `)),
    ...flags.flatMap(({ long, argChoices }) => (argChoices ? [{ path, flag: long, words: argChoices }] : [])),
    {
      path,
      words: [
        ...commands.map((child) => child.name()),
        ...registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
        ...flags.map(({ long }) => long),
      ],
    },
  ]
}

const scripts: Readonly<Record<Shell, (cases: readonly Case[]) => string>> = {
  bash: (cases) => `# bash completion of gembench
_gembench() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} line=' ' words= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) break ;; esac
    line="$line\${COMP_WORDS[at]} "
  done
  case "$line$before" in
${cases.map(({ path, flag, words }) => `    '${path}'*${flag ?? ''}) words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _gembench gembench
`,
  zsh: (cases) => `#compdef gembench
autoload -U +X bashcompinit && bashcompinit
${scripts.bash(cases)}`,
  fish: (cases) => `# fish completion of gembench
function __gembench_words
  set -l tokens (commandline -opc)
  set -l line ' '
  for token in $tokens[2..-1]
    string match -q -- '-*' $token; and break
    set line "$line$token "
  end
  switch "$line$tokens[-1]"
${cases.map(({ path, flag, words }) => `    case '${path}*${flag ?? ''}'\n      printf '%s\\n' ${words.join(' ')}`).join('\n')}
  end
end
complete -c gembench -a '(__gembench_words)'
`,
}
