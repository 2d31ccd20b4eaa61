import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { economyColumns } from './readme-parts.ts'
import { economy, withoutFormula, repeatedPrefixes } from './economy.ts'

/** configs/REFERENCE.md, whose table of methods has these figures. */
const reference = readFileSync(new URL('../configs/REFERENCE.md', import.meta.url), 'utf8')

test('every method that asks a language model has the formula of its paper', async () => {
  expect(await withoutFormula()).toEqual([])
})

// the cheap ones; npm run generate -- --check measures all
test.each(['gem-rag', 'unweaver', 'raptor'])(
  'the index of %s asks for no more calls than its paper, as the reference says',
  async (name) => {
    const measured = await economy([name])
    expect(measured).toHaveLength(1)
    expect(measured[0]!.calls).toBeGreaterThan(0)
    expect(measured[0]!.calls).toBeLessThanOrEqual(measured[0]!.paperCalls)
    const row = reference.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    for (const cell of Object.values(economyColumns(measured))) expect(row).toContain(`| ${cell(name)} |`)
  },
  20_000,
)

test('in every row of the reference our calls are no more than those of the paper', () => {
  const pairs = [...reference.matchAll(/: ([\d,]+); ours ([\d,]+) \|/g)].map(([, paper, ours]) =>
    [paper, ours].map(read),
  )
  expect(pairs.length).toBeGreaterThan(8)
  for (const [paper, ours] of pairs) expect(ours).toBeLessThanOrEqual(paper!)
})

const read = (count: string | undefined): number => Number(count?.replaceAll(',', ''))

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
