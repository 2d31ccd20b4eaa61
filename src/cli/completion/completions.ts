import type { Argument, Command, Option } from 'commander'

/** What may follow a command on the command line. */
export interface Completion {
  /** Its words after `gembench`, separated by spaces; empty for the program itself. */
  readonly command: string
  readonly words: readonly Word[]
  /** What its argument may be, where it can only be one of these. */
  readonly choices: readonly Word[]
}

/** A subcommand or a flag, and what it is in a few words. `values`: what may follow the flag, where only these may. */
export interface Word {
  readonly word: string
  readonly about: string
  readonly values?: readonly string[]
}

/** What may follow the program and each of its commands. */
export function completionsOf(program: Command): readonly Completion[] {
  const of = (command: Command, path: string): readonly Completion[] => [
    {
      command: path,
      words: [...command.commands.map(wordOf), ...command.options.flatMap(flagOf)],
      choices: command.registeredArguments.flatMap(choicesOf),
    },
    ...command.commands.flatMap((child) => of(child, `${path} ${child.name()}`.trim())),
  ]
  return of(program, '')
}

const wordOf = (command: Command): Word => ({ word: command.name(), about: brief(command.description()) })

const choicesOf = ({ argChoices = [], description }: Argument): readonly Word[] =>
  argChoices.map((word) => ({ word, about: brief(description) }))

const flagOf = ({ long, description, argChoices }: Option): readonly Word[] =>
  long == null ? [] : [{ word: long, about: brief(description), ...(argChoices && { values: argChoices }) }]

/** The first words of a description, without what a shell would read. */
const brief = (text: string): string =>
  text
    .replace(/[;:(].*$/s, '')
    .replace(/[^\p{L}\p{N} .,/=-]/gu, '')
    .trim()
