import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { captured } from '../../test-support/captured.ts'
import { program } from '../program.ts'
import { completionsOf } from './completions.ts'
import { scriptOf } from './scripts.ts'
import { shells } from './shells.ts'

const said = captured()
const completions = completionsOf(program('0.0.0'))
const bash = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? ''

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${scriptOf('bash', completions)}
COMP_WORDS=(gembench ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _gembench; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync(bash, ['-c', script], { encoding: 'utf8', cwd: '/' })
  return out.split('\n').filter((line) => line !== '')
}

describe.runIf(bash)('bash', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['qu'], ['questions', 'query']],
    [['data', 'ch'], ['check']],
    [
      ['run', '--bud'],
      ['--budget-calls', '--budget-tokens', '--budget-usd'],
    ],
    [
      ['graph', '--format', 'g'],
      ['graphml', 'gem'],
    ],
    [['judge', 'sample', '--sc'], ['--scorer']],
    [
      ['ls', ''],
      ['methods', 'datasets', 'scorers', 'models'],
    ],
    [['ls', 'sc'], ['scorers']],
    [['ls', '--'], ['--json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['run', '-c', 'et'], ['etc']],
  ])('%j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

test.each(shells)('%s names every command and every flag', (shell) => {
  const script = scriptOf(shell, completions)
  for (const { words, choices } of completions)
    for (const { word } of [...choices, ...words])
      expect(script).toContain(shell === 'fish' ? word.replace(/^--/, '-l ') : word)
})

test('the help of every command that does something has examples, of that command', () => {
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  for (const command of leaves(program('0.0.0'))) {
    said.out = ''
    command.outputHelp()
    const [, examples = ''] = said.out.split('\nExamples:\n')
    expect(examples, command.name()).toMatch(/^ {2}gembench /)
    const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]))
    for (const [flag] of examples.matchAll(/(?<=\s)--?[a-z]+(?:-[a-z]+)*/g))
      expect(flags, command.name()).toContain(flag)
    for (const line of examples.trim().split('\n')) expect(line).toContain(` ${command.name()}`)
  }
})
