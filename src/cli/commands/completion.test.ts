import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { captured } from '../../test-support/captured.ts'
import { program } from '../program.ts'
import { shells, scriptOf } from './completion.ts'

const said = captured()
const bash = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? ''

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${scriptOf('bash', program('0.0.0'))}
COMP_WORDS=(gembench ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _gembench; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync(bash, ['-c', script], { encoding: 'utf8', cwd: '/' })
  return out.split('\n').filter((line) => line !== '')
}

describe.runIf(bash)('bash', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['qu'], ['questions', 'query']],
    [['data', 'g'], ['get']],
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
      ['methods', 'datasets', 'scorers', 'models', '--json'],
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
  const script = scriptOf(shell, program('0.0.0'))
  const all = (command: Command): readonly string[] => [
    ...command.options.map(({ long }) => String(long)),
    ...command.commands.flatMap((child) => [child.name(), ...all(child)]),
  ]
  for (const word of all(program('0.0.0'))) expect(script).toContain(word)
})

test('the help of every command that does something has examples, of that command', () => {
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.createHelp().visibleCommands(command).flatMap(leaves)
  for (const command of leaves(program('0.0.0'))) {
    if (command.name() === 'help') continue
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
