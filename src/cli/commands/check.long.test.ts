import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gembench, gembenchProcess, type CliEnded, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

// a process loads a file once
const check = (source: string, ...args: readonly string[]): Promise<CliEnded> =>
  gembench(folderOf({ 'mine.ts': source }), 'check', 'mine.ts', ...args)

const method = (retrieve: string): string => `
  import { defineMethod, z } from 'gembench'
  export const mine = defineMethod({
    name: 'first-chunks',
    summary: 'Takes the first chunks.',
    options: z.strictObject({ most: z.int().default(9) }),
    async index(chunks, _models, { most }) {
      const all = chunks.slice(0, most).map(({ id, text }, rank) => ({ text, score: 1 / (1 + rank), from: [id], kind: 'chunk' as const }))
      return { retrieve: async (_query, budget) => ${retrieve} }
    },
  })`

test('ends although the checked file leaves timers open', async () => {
  const leaving = method('{ setInterval(() => 0, 1000); return all.slice(0, budget.passages) }')
  expect(await gembenchProcess(folderOf({ 'leaves.ts': leaving }), 'check', 'leaves.ts')).toMatchObject({
    code: 0,
    err: '',
  })
})

test('checks a program as the method command runs it', async () => {
  const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))
  const set = `run=["node", "${program}"]`
  expect(await gembench(folderOf({}), 'check', program, '--use', 'command', '--set', set)).toMatchObject({
    code: 0,
    err: '',
  })
})

const scorer = (value: string): string => `
  import { defineScorer, z } from 'gembench'
  export const mine = defineScorer({
    name: 'mine', version: 1, summary: 'Scores.', source: 'own', kinds: ['answer'],
    options: z.strictObject({}), columns: [{ metric: 'size' }],
    score: async () => ({ metrics: { size: ${value} } }),
  })`

test('prints one line and exit code 0 for a valid file', async () => {
  const result = await check(method('all.slice(0, budget.passages)'), '--set', 'most=4')
  expect(result).toEqual({
    code: 0,
    err: '',
    out: expect.stringMatching(/^mine\.ts: method "first-chunks": all checks passed\n$/),
  })
})

test('an unknown option is refused in one line, exit code 2', async () => {
  const { code, out, err } = await check(method('all.slice(0, budget.passages)'), '--set', 'mots=3')
  expect({ code, err }).toEqual({ code: 2, err: '' })
  expect(out).toMatch(/^mine\.ts: method "first-chunks": with the options \{"mots":3\}.*\n.*: 1 finding\n$/)
})

test('--json contains every finding', async () => {
  const { code, out } = await check(scorer('600'), '--json')
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    file: 'mine.ts',
    holds: false,
    plugIns: [{ kind: 'scorer', name: 'mine', findings: [expect.stringContaining('gave size = 600')] }],
  })
})

test.each([
  [
    'export const nothing = 1',
    [],
    'mine.ts: exports no method, scorer, dataset or provider; write one with: gembench init --new method NAME',
  ],
  ['export const mine =', [], 'mine.ts: cannot be loaded'],
  [method('all'), ['--set', 'most'], '--set most: expected option=value'],
])('%j with %j prints one line', (source, args, message) => expectRefusal(check(source, ...args), message))

test.each([
  `export const mine = { name: 'x', summary: 's', source: 'own', licence: 'none', evidence: false }`,
  `export const mine = { name: 'x' }`,
])('names the functions of a plug-in when a file has none of them: %j', async (source) => {
  const { code, out, err } = await check(source)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^error mine\.ts: "x" is no plug-in: a method has index\(…\), a scorer score\(…\)/)
})

test('checks a provider', async () => {
  const { code, out } = await check(`import { defineProvider, z } from 'gembench'
    export const mine = defineProvider({
      name: 'mine', summary: 'Mine', can: ['complete'], options: z.strictObject({ depth: z.int().default(1) }),
      open: async () => ({ name: 'other', model: 'm', parameters: {}, embed: async () => ({ vectors: [] }) }),
    })`)
  expect(code).toBe(2)
  for (const line of [
    'the option "depth" has no description',
    'has embed(), which "can" does not name',
    'its provider has the name "other"',
  ])
    expect(out).toContain(line)
})

describe('reports all faults of a file, one line each', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'a method',
      `import { defineMethod, z } from 'gembench'
      export const mine = defineMethod({
        name: 'My Method', summary: 'Takes chunks', contex: 'none', options: z.object({}), costs: () => 'unknown',
        async index(chunks) {
          return {
            stats: () => ({ mean: NaN }),
            warnings: () => ({ lost: -1 }),
            retrieve: async () => [
              ...chunks.map(({ id, text }, rank) => ({ text, score: rank + Math.random() / 2, from: [id], kind: 'chunk' })),
              { text: 'x', score: -1, from: ['elsewhere'], kind: 'facts' },
              { text: 'x', score: -1, from: [], kind: 'idea' },
            ],
          }
        },
      } as never)`,
      [],
      [
        'unknown field "contex"; did you mean "context"?',
        'the name is "My Method"; give small letters',
        'the summary is "Takes chunks"; give one sentence',
        'accepts the unknown option',
        'made of an unknown chunk "elsewhere"',
        'of which "kind" must not be "idea"',
        'for a budget of 1; return fewer',
        'stats() returned what JSON cannot hold',
        'warnings() failed',
        'returned other passages the second time',
        'returned passages out of order',
      ],
    ],
    [
      'a scorer',
      `import { defineScorer, z } from 'gembench'
      export const mine = defineScorer({
        name: 'mine', version: 0, summary: 'Scores.', source: '', kinds: ['answer'], options: z.strictObject({}),
        columns: [{ metric: 'none' }],
        score: async () => ({ metrics: { size: 600, chance: Math.random(), share: NaN } }),
      })`,
      [],
      [
        'the version is 0',
        'the source is ""',
        'gave size = 600, outside 0 to 1',
        'gave share = NaN',
        'gave another score the second time',
        'shows the column "none", and no score has this metric',
      ],
    ],
    [
      'a dataset',
      `import { defineDataset, z } from 'gembench'
      const question = (text, evidence) => ({ id: 'q', text, reference: { kind: 'answer', accepted: [] }, evidence })
      export const mine = defineDataset({
        name: 'mine', summary: 'Mine.', source: 'own', licence: '', evidence: false, options: z.strictObject({}),
        files: async () => [],
        async *corpora() {
          const documents = [{ id: 'd', text: ' ' }]
          yield { id: 'c', documents, questions: [question('Who?', [{ documentId: 'e' }]), question('', undefined)] }
        },
      })`,
      ['--path', 'mine.ts'],
      [
        'the licence is ""',
        'files() returned no path',
        'document "d" is empty',
        'has evidence in "e", which is not a document',
        'has no accepted answer',
        'two questions have the id "q"',
        'question "q" is empty',
        'question "q" names evidence; declare evidence: true',
        'files() threw no Error for the missing path',
        'corpora() threw no Error for the missing path',
      ],
    ],
  ])('reports all faults of %s', async (_what, source, args, faults) => {
    const { code, out, err } = await check(source, ...args)
    expect({ code, err }).toEqual({ code: 2, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines.slice(0, -1)).toEqual(faults.map((fault) => expect.stringContaining(fault) as unknown))
    expect(lines.at(-1)).toMatch(/: \d+ findings$/)
  })
})
