import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { economyColumns } from './reference.ts'
import { economy, repeatedPrefixes } from './economy.ts'

/** The page of methods, whose table of methods has these figures. */
const reference = readFileSync(new URL('../configs/reference/methods.md', import.meta.url), 'utf8')

// the cheap ones; npm run generate -- --check measures all
test.each(['gem-rag', 'unweaver', 'raptor'])(
  'the reference has the calls of the index of %s',
  async (name) => {
    const measured = await economy([name])
    expect(measured).toHaveLength(1)
    expect(measured[0]!.calls).toBeGreaterThan(0)
    const row = reference.split('\n').find((line) => line.startsWith(`| [\`${name}\`]`))
    for (const cell of Object.values(economyColumns(measured))) expect(row).toContain(`| ${cell(name)} |`)
  },
  20_000,
)

test('what a prompt shares with the beginning of any earlier one', () => {
  expect(repeatedPrefixes(['list: a', 'sum: a b', 'list: b', 'sum: a', 'list: a', ''])).toEqual([
    '',
    '',
    'list: ',
    'sum: a',
    'list: a',
    '',
  ])
})
