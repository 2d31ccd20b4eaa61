import { beforeAll, describe, expect, test } from 'vitest'
import { ran, type Ended } from '../../test-support/ran.ts'

const rows = ['bm25', 'random']
const ofRow = <L extends { readonly method: string }>(lines: readonly L[], row: string): readonly L[] =>
  lines.filter(({ method }) => method === row)

let alone: Ended
beforeAll(async () => {
  alone = await ran({}, { methods: rows })
  expect(alone.trials).toHaveLength(6)
})

/** The rows beside a plug-in's have the lines that they have without it. */
function expectOthersAsAlone({ trials, scores }: Ended): void {
  for (const row of rows) {
    expect(ofRow(trials, row)).toEqual(ofRow(alone.trials, row))
    expect(ofRow(scores, row)).toEqual(ofRow(alone.scores, row))
  }
}

/** The last word on each question: a failure is asked again when a run is begun again. */
const failuresOf = ({ trials }: Ended, row: string): readonly (string | undefined)[] => [
  ...new Map(ofRow(trials, row).map(({ question, failure }) => [question.id, failure?.message])).values(),
]

const retrieving = (body: string): string => `({ retrieve: async (query, budget, asking) => { ${body} } })`
const whole = `[{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }]`
const passage = (fields: string): string =>
  `return [{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk', ${fields} }]`
const lasting = `await new Promise((done) => setTimeout(done, 50)); return ${whole}`

/** A method, and what each of its trials fails with; undefined where it fails with nothing, and changes nothing. */
const attacks: Readonly<Record<string, readonly [text: string, said: string | undefined]>> = {
  'sort-chunks': [
    `{ chunks.sort(() => -1); return { retrieve: async () => ${whole} } }`,
    "index() changed what it was given, or another frozen object: Cannot assign to read only property '0' of object '[object Array]' (hostile.mjs:",
  ],
  'change-chunk': [
    `{ chunks[0].text = ''; return { retrieve: async () => [] } }`,
    "index() changed what it was given, or another frozen object: Cannot assign to read only property 'text'",
  ],
  'change-option': [
    `{ options.list.push(2); return { retrieve: async () => [] } }`,
    'index() changed what it was given, or another frozen object: Cannot add property 1',
  ],
  'grow-budget': [
    retrieving(`budget.tokens = 1e9; return []`),
    "retrieve() changed what it was given, or another frozen object: Cannot assign to read only property 'tokens'",
  ],
  'change-query': [
    retrieving(`if (query.options) query.options.reverse(); query.text = ''; return []`),
    'retrieve() changed what it was given, or another frozen object: Cannot assign to read only property',
  ],
  'count-nothing': [
    retrieving(`asking.countTokens = () => 0; return []`),
    "retrieve() changed what it was given, or another frozen object: Cannot assign to read only property 'countTokens'",
  ],
  'no-limit': [
    `({ limits: { tokens: NaN }, retrieve: async () => [] })`,
    'hostile: index() returned limits whose "tokens" is NaN: give a number, 0 or more',
  ],
  'change-vectors': [
    retrieving(
      `const [before] = await asking.embed([query.text]); before.fill(9); const [after] = await asking.embed([query.text]); if (after[0] === 9) throw new Error('changed'); return ${whole}`,
    ),
    undefined,
  ],
  'forged-spans': [
    retrieving(
      passage(`text: chunks[0].text.slice(-5), spans: [{ documentId: chunks[0].documentId, start: -5, end: 1e6 }]`),
    ),
    'hostile returned a passage (number 1) with "spans" that are no list of { documentId, start, end }',
  ],
  'other-words': [
    retrieving(passage(`text: 'other', spans: [{ documentId: chunks[0].documentId, start: 0, end: 9 }]`)),
    'hostile returned a passage (number 1) whose words are not those of its "spans"',
  ],
  'throw-null': [retrieving('throw null'), 'retrieve() threw null'],
  'throw-proxy': [
    retrieving(`throw new Proxy(new Error('x'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })`),
    'retrieve() threw an error that cannot be read',
  ],
  'throw-user-error': [
    retrieving(`throw Object.assign(new Error('mend it'), { name: 'UserError' })`),
    'mend it (hostile.mjs:',
  ],
  'forge-model-error': [
    retrieving(`throw Object.assign(new Error('odd'), { name: 'ModelError', kind: 1n, raw: {} })`),
    'odd (hostile.mjs:',
  ],
  circular: [
    retrieving(`const why = {}; why.why = why; ${passage('why')}`),
    'hostile returned a passage (number 1) whose "why" cannot be written as JSON: Converting circular structure',
  ],
  'big-integer': [
    retrieving(passage('why: { n: 1n }')),
    'whose "why" cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
  'big-score': [retrieving(passage('score: 1n')), 'hostile returned a passage (number 1) with the score 1'],
  'odd-score': [
    retrieving(passage('score: { toString() { throw 1 } }')),
    'hostile returned a passage (number 1) with the score an object',
  ],
  symbol: [retrieving(passage('kind: Symbol("x")')), 'of the unknown kind "Symbol(x)"'],
  'extra-fields': [retrieving(passage('own: 1n, evidence: [0], relevant: ["x"], derived: true')), undefined],
  getter: [retrieving(passage('get text() { throw new Error("no text") }')), 'no text (hostile.mjs:'],
  'changing-getter': [retrieving(`let n = 0; ${passage('get score() { return n++ === 0 ? 1 : NaN }')}`), undefined],
  'huge-why': [
    retrieving(passage(`why: { all: 'x'.repeat(1e8) }`)),
    'cannot be written as JSON: it has 100000010 characters, more than 80000000',
  ],
  'evil-list': [
    retrieving(`return new (class extends Array { map() { return 1 } every() { return true } })()`),
    undefined,
  ],
  'circular-stats': [
    `({ retrieve: async () => [], stats: () => { const a = {}; a.a = a; return a } })`,
    'hostile: stats() cannot be written as JSON: Converting circular structure',
  ],
  'big-warnings': [
    `({ retrieve: async () => [], warnings: () => ({ n: 1n }) })`,
    'hostile: warnings() cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
  exit: [retrieving('process.exit(0)'), 'the process ended with exit code 0'],
  'quiet-exit': [
    `{ try { process.exit(0) } catch {} ; return { retrieve: async () => [] } }`,
    'the process ended with exit code 0',
  ],
  abort: [retrieving('process.abort()'), 'the process ended by SIGABRT'],
  kill: [retrieving(`process.kill(process.pid, 'SIGKILL')`), 'the process ended by SIGKILL'],
  'change-folder': [retrieving(`process.chdir('/'); return ${whole}`), undefined],
  'change-the-world': [
    retrieving(`Math.log = Math.exp = Math.sqrt = () => 0; Array.prototype.sort = () => []; return ${whole}`),
    undefined,
  ],
  'nobody-awaits': [retrieving(`Promise.reject(new Error('not awaited')); ${lasting}`), 'not awaited (hostile.mjs:'],
  'timer-throws': [
    retrieving(`setTimeout(() => { throw new Error('in a timer') }); ${lasting}`),
    'in a timer (hostile.mjs:',
  ],
  'never-ends': [
    retrieving('await new Promise(() => undefined)'),
    'retrieve() did not end within 4 s (limits.retrieveSeconds)',
  ],
  'odd-thenable': [
    `({ retrieve: () => ({ then() {} }) })`,
    'retrieve() did not end within 4 s (limits.retrieveSeconds)',
  ],
}

describe('many hostile methods in one run', () => {
  let all: Ended
  beforeAll(async () => {
    const entries = Object.entries(attacks).map(([name, [index]]) => `'${name}': (chunks, models, options) => ${index}`)
    const hostile = `import { z } from 'gembench'
      const attacks = { ${entries.join(',\n')} }
      export const mine = { name: 'hostile', summary: '', options: z.strictObject({ attack: z.string(), list: z.array(z.number()).default([1]) }),
        costs: () => 'unknown', index: async (chunks, models, options) => attacks[options.attack](chunks, models, options) }`
    const sloppy = `exports.mine = { name: 'sloppy', summary: '', options: require('gembench').z.strictObject({}), costs: () => 'unknown', index: async (chunks) => {
      chunks[0].text = 'other'; chunks.length = 1
      return { retrieve: async (query, budget) => { budget.tokens = 1e9; budget.passages = 99; query.text = ''
        return chunks.map((chunk) => ({ text: chunk.text, score: 1, from: [chunk.id], kind: 'chunk' })) } } } }`
    const hostiles = Object.keys(attacks).map((attack) => ({ use: './hostile.mjs', label: attack, attack }))
    const methods = [...hostiles, './sloppy.js', ...rows]
    all = await ran({ 'hostile.mjs': hostile, 'sloppy.js': sloppy }, { methods, limits: { retrieveSeconds: 4 } })
  }, 600_000)

  test('the run ends with its table, and no stack on the screen', () => {
    expect(all.code).toBe(3)
    expect(all.err).not.toContain('    at ')
  })

  test('the other rows have the bytes that they have alone', () => expectOthersAsAlone(all))

  test.each(Object.entries(attacks))('%s fails alone, and says why', (name, [, said]) => {
    const failures = failuresOf(all, name)
    expect(failures).toHaveLength(3)
    for (const failure of failures) expect(failure).toEqual(said === undefined ? said : expect.stringContaining(said))
  })

  test('a passage keeps no field that only a run may write', () => {
    for (const { context } of ofRow(all.trials, 'extra-fields')) {
      expect(context[0]).not.toHaveProperty('own')
      expect(context[0]).not.toHaveProperty('derived')
      expect(context[0]?.relevant ?? []).not.toContain('x')
    }
  })

  test('code that ignores a refused write changes nothing', () => {
    for (const { context, failure } of ofRow(all.trials, 'sloppy')) {
      expect(failure).toBeUndefined()
      expect(context.length).toBeLessThanOrEqual(2)
      expect(context[0]?.text).not.toBe('other')
    }
  })
})

test('a file that changes the language when it is loaded changes no other row, and gives itself no score', async () => {
  const changing = `Math.log = Math.max = Math.floor = () => 0
    Array.prototype.sort = function () { return this }
    const { stringify } = JSON
    JSON.stringify = (value, ...rest) => stringify(value && typeof value === 'object' && 'metrics' in value ? { ...value, metrics: { correct: 1 } } : value, ...rest)
    import { z } from 'gembench'
    export const mine = { name: 'mine', summary: '', options: z.strictObject({}), costs: () => 'unknown', index: async () => ({ retrieve: async () => [] }) }`
  const ended = await ran({ 'changing.mjs': changing }, { methods: ['./changing.mjs', ...rows] })
  expect(ended.code).toBe(0)
  expectOthersAsAlone(ended)
  const scored = ({ scores }: Ended): unknown => ofRow(scores, 'mine').map(({ metrics }) => metrics)
  const still = await ran(
    { 'still.mjs': changing.replace(/[^]*?(?=import \{ z \})/, '') },
    { methods: ['./still.mjs', ...rows] },
  )
  expect(scored(ended)).toEqual(scored(still))
})

test('an error after every call is said in one line and counted; timers and servers do not hold the process', async () => {
  const late = `import { z } from 'gembench'
    import { createServer } from 'node:http'
    export const late = { name: 'late', summary: '', options: z.strictObject({}), costs: () => 'unknown', index: async (chunks) => {
      createServer().listen(0); setInterval(() => undefined, 50); setTimeout(() => { throw new Error('too late') })
      return { retrieve: async () => { await new Promise((done) => setTimeout(done, 500)); return [] } } } }`
  const ended = await ran(
    { 'late.mjs': late },
    {
      methods: ['./late.mjs', ...rows],
      models: { complete: { use: 'fake', latencyMs: 100 }, embed: 'fake' },
      concurrency: 1,
    },
  )
  expect(ended.code).toBe(3)
  expect(ended.err).toMatch(
    /^failed outside every call, after index\(\): too late \(late\.mjs:4:\d+\); no row is changed\n$/,
  )
  expect(failuresOf(ended, 'late')).toEqual([undefined, undefined, undefined])
})
