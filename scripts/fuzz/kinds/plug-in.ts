import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../../../src/cli/commands/run.ts'
import { tinyProject, writeConfig } from '../../../src/test-support/tiny.ts'
import { faultIn, capture, type CommandOutput } from '../command.ts'
import { usual, type Kind, type Random } from '../kind.ts'
import { pick, oddTexts } from '../mutate.ts'
/** What the plug-ins return: JSON in which `{"$": "name"}` stands for what JSON has not. */
const plugIns = `
import { z } from 'gembench'
const odd = {
  undefined: () => undefined, NaN: () => NaN, Infinity: () => Infinity, bigint: () => 10n, symbol: () => Symbol('s'),
  function: () => () => 1, date: () => new Date(0), map: () => new Map([[1, 2]]), array: () => new Float32Array(3),
  throws: () => { throw new Error('odd') }, 'throws nothing': () => { throw undefined }, 'throws null': () => { throw null },
  'throws an object': () => { throw { toString() { throw new Error('no text') } } },
  cycle: () => { const a = {}; a.a = a; return a }, bare: () => Object.create(null), frozen: () => Object.freeze([]),
  getter: () => ({ get text() { throw new Error('got') }, get metrics() { throw new Error('got') } }),
  proxy: () => new Proxy({}, { get() { throw new Error('trapped') }, ownKeys() { throw new Error('trapped') } }),
  thenable: () => ({ then(resolve) { resolve({ metrics: { m: 0.5 } }) } }),
  sparse: () => [, , 1], long: () => 'x'.repeat(300000), deep: () => { let a = []; for (let i = 0; i < 20000; i++) a = [a]; return a },
  'user error': () => { throw Object.assign(new Error('mine'), { name: 'UserError' }) },
  'model error': () => { throw Object.assign(new Error('mine'), { name: 'ModelError', kind: { odd: 1 }, raw: 5 }) },
  'abort error': () => { throw Object.assign(new Error('mine'), { name: 'AbortError' }) },
  json: () => ({ toJSON() { throw new Error('no json') } }), proto: () => JSON.parse('{"__proto__": {"polluted": 1}}'),
  retrieve: () => ({ retrieve: async () => [] }),
}
const made = (tree) => {
  if (Array.isArray(tree)) return tree.map(made)
  if (tree === null || typeof tree !== 'object') return tree
  if (typeof tree.$ === 'string') return odd[tree.$]()
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, made(value)]))
}
const options = z.strictObject({ tree: z.string().default('null'), at: z.string().default('') })
export const mine = {
  name: 'mine', summary: '', options,
  async index(chunks, models, { tree, at }) {
    const value = (place, usual) => (at === place ? made(JSON.parse(tree)) : usual)
    const passage = { text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }
    if (at === 'index') return value('index')
    return {
      retrieve: async () => value('retrieve', value('passage') === undefined ? [passage] : [value('passage')]),
      stats: () => value('stats', {}), warnings: () => value('warnings', {}),
      ...(at === 'limits' && { limits: value('limits') }),
    }
  },
}
`
const scorer =
  plugIns.replace(/export const mine = [^]*$/, '') +
  `
export const mine = {
  name: 'mine', summary: '', options, version: 1, source: '', kinds: ['answer', 'choice'], columns: [{ metric: 'm' }],
  async score(input, models, { tree, at }) { return at === 'score' ? made(JSON.parse(tree)) : { metrics: { m: 0.5 } } },
}
`

const oddNames = [...plugIns.matchAll(/^ {2}(.*),$/gm)].flatMap(([, line = '']) =>
  [...line.matchAll(/(?:^|, )(?:'([\w ]+)'|(\w+)): \(\) =>/g)].map(([, a, b]) => a ?? b ?? ''),
)

const wholes: Readonly<Record<string, unknown>> = {
  index: { retrieve: { $: 'function' }, stats: { $: 'function' } },
  retrieve: [
    { text: 'a', score: 1, from: ['0:0'], kind: 'chunk', spans: [{ chunk: '0:0', start: 0, end: 1 }], why: { a: 1 } },
  ],
  passage: { text: 'a', score: 1, from: [], kind: 'facts', order: 1, why: { fallback: 'x' } },
  stats: { calls: 3, list: [1, 'a'] },
  warnings: { 'lost things': 2 },
  limits: { passages: 1, tokens: 10 },
  score: { metrics: { m: 0.5, other: 1 }, subsets: ['all', 'x'], parts: { a: [1, { b: 2 }] }, skipped: 'why' },
}

/** Methods and scorers that return odd values: what failed is counted, and the other rows' lines are the same. */
const plugIn: Kind = {
  ...usual,
  // each is a whole run
  mutantsInTest: 12,
  name: 'plug-in',
  limitSeconds: 60,
  async open() {
    // a run asks git twice, which takes longer than all the rest
    process.env['PATH'] = ''
    const project = await tinyProject()
    await writeFile(join(project, 'method.mjs'), plugIns)
    await writeFile(join(project, 'scorer.mjs'), scorer)
    const results = join(project, 'results')
    const flags = {
      config: [join(project, 'tiny.yaml')],
      set: [],
      cache: false,
      cacheFolder: join(project, 'cache'),
      results,
      full: false,
      again: false,
      quiet: false,
      json: true,
    }
    const run = async (at: string, text: string): Promise<CommandOutput> => {
      await rm(results, { recursive: true, force: true })
      const isScorer = at === 'score'
      // a config would read a variable
      const tree = text.replaceAll('${', () => '$${')
      const method = { use: './method.mjs', label: 'odd', at, tree }
      const scorers = ['qasper-f1', { use: './scorer.mjs', label: 'odd-scorer', at, tree }]
      await writeConfig(project, {
        methods: at === '' || isScorer ? ['random', 'bm25'] : ['random', method, 'bm25'],
        scorers: isScorer ? scorers : scorers.slice(0, 1),
      })
      return capture(() => runCommand(flags))
    }
    const original = await run('', '')
    if (original.code !== 0) throw new Error(`the run without plug-ins fails: ${original.text}`)
    const oracle = ownLines(original)
    return {
      make(random) {
        const of = pick(Object.keys(wholes), random)
        return { of, bytes: Buffer.from(JSON.stringify(oddTree(wholes[of], random, 0))) }
      },
      async attempt({ of, bytes }) {
        const item = await run(of, Buffer.from(bytes).toString())
        const fault = faultIn(item)
        if (fault !== undefined) return { fault }
        if (item.code !== 0 && item.code !== 3)
          return { fault: `exit code ${item.code}, and the other rows are not there: ${item.text.slice(0, 500)}` }
        if (ownLines(item) !== oracle)
          return { fault: 'the lines of the other rows differ from those of a run without the plug-in' }
        return { outcome: item.code === 3 ? 'counted failure' : 'run' }
      },
    }
  },
}
export default plugIn

/** A value in which parts were replaced by odd ones. */
function oddTree(value: unknown, random: Random, depth: number): unknown {
  if (random() < (depth === 0 ? 0.15 : 0.25)) return oddLeaf(random)
  if (Array.isArray(value))
    return (random() < 0.2 ? [value, value] : [value]).flat().map((item) => oddTree(item, random, depth + 1))
  if (value === null || typeof value !== 'object' || '$' in value) return random() < 0.2 ? oddLeaf(random) : value
  const entries = Object.entries(value).filter(() => random() > 0.1)
  const more = random() < 0.15 ? [[pick(oddTexts, random).slice(0, 99), oddLeaf(random)] as const] : []
  return Object.fromEntries([...entries, ...more].map(([name, item]) => [name, oddTree(item, random, depth + 1)]))
}

function oddLeaf(random: Random): unknown {
  const way = random()
  if (way < 0.5) return { $: pick(oddNames, random) }
  if (way < 0.7) return pick(oddTexts, random)
  return pick([null, true, 0, -1, 0.5, 1e308, -1e308, 2 ** 53, '', [], {}, [[]], [null], { length: 3 }], random)
}

/** The lines of trials.jsonl and scores.jsonl that are not the plug-in's; the folder is named in what a run prints. */
function ownLines({ out }: CommandOutput): string {
  const { folder } = JSON.parse(out) as { folder: string }
  return ['trials', 'scores']
    .flatMap((name) =>
      readFileSync(join(folder, `${name}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .filter((line) => {
      const { method, scorer: label } = JSON.parse(line) as { method: string; scorer?: string }
      return method !== 'odd' && label !== 'odd-scorer'
    })
    .join('\n')
}
