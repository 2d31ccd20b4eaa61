import { expect, test } from 'vitest'
import { readConfig } from '../config/index.ts'
import { folderOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { tinySettings } from '../test-support/tiny.ts'
import { registries } from './index.ts'
import { readResults } from '../test-support/read-results.ts'
import { run } from './run.ts'

/** What is judged, what a system returned, and what pytrec_eval-terrier 0.5.11 gives for it. */
interface Case {
  readonly qrels: Readonly<Record<string, number>>
  readonly run?: Readonly<Record<string, number>>
  readonly figures?: Readonly<Record<string, number>>
}

const second = { 'ndcg@1': 0, 'ndcg@3': 0.6309, map: 0.5, 'recall@2': 1, mrr: 0.5, 'precision@2': 0.5 }
const zeros = { 'ndcg@1': 0, 'ndcg@3': 0, map: 0, 'recall@2': 0, mrr: 0, 'precision@2': 0 }

const cases: Readonly<Record<string, Case>> = {
  'equal scores rank by id, descending': { qrels: { a: 1 }, run: { a: 1, d: 1, c: 0.5 }, figures: second },
  'ids compare by bytes': { qrels: { B: 1 }, run: { B: 2, a: 2 }, figures: second },
  'scores that are one 32-bit float are equal': { qrels: { a: 1 }, run: { a: 0.1 + 1e-12, b: 0.1 }, figures: second },
  // BEIR takes the query's own document out of the run before pytrec_eval sees it
  own: { qrels: { d: 1 }, run: { own: 9, b: 3, d: 2 }, figures: second },
  'a judged document that the corpus lacks counts as relevant': {
    qrels: { a: 1, gone: 1 },
    run: { a: 2, b: 1 },
    figures: { 'ndcg@1': 1, 'ndcg@3': 0.6131, map: 0.5, 'recall@2': 0.5, mrr: 1, 'precision@2': 0.5 },
  },
  'and as found where a recorded run names it': {
    qrels: { gone: 2, a: 1 },
    run: { a: 1, gone: 1, b: 3 },
    figures: { 'ndcg@1': 0, 'ndcg@3': 0.6697, map: 0.5833, 'recall@2': 0.5, mrr: 0.5, 'precision@2': 0.5 },
  },
  'grades gain as they are': {
    qrels: { a: 1, b: 3, c: 2 },
    run: { a: 3, b: 2, d: 2.5, c: 1 },
    figures: { 'ndcg@1': 0.3333, 'ndcg@3': 0.525, map: 0.8056, 'recall@2': 0.3333, mrr: 1, 'precision@2': 0.5 },
  },
  'grades of 0 or less gain nothing': { qrels: { a: -1, b: 1, c: 0 }, run: { a: 3, b: 2, c: 1 }, figures: second },
  'nothing that is judged is relevant': { qrels: { a: 0, b: -2 }, run: { a: 1, b: 0.5 }, figures: zeros },
  'a query that the run lacks is no part of the means': { qrels: { a: 1 } },
}

const texts = {
  own: 'The mill at Orrin was built in 1841 by Tamsin Vale.\n\nIt ground oats for three parishes until the weir broke.',
  copy: 'The mill at Orrin was built in 1841 by Tamsin Vale.\n\nIt ground oats for three parishes until the weir broke.',
  a: 'The mill in Lisk was built by Edric Vale.',
  B: 'A weir broke the wheel of the mill at Harrowgate.',
  b: 'The bakery in Harrowgate sells rye bread from oats.',
  c: 'Three parishes shared a museum of wheels and ovens.',
  d: 'Tamsin Sloe ground oats at the mill near the weir.',
}

/** The lines of a run of methods over these cases, in the layout of BEIR. */
async function ran(methods: readonly unknown[], passages: number) {
  const ids = Object.keys(cases).map((name, index) => [name === 'own' ? name : `q${index}`, name] as const)
  const of = (part: 'qrels' | 'run') =>
    ids.flatMap(([id, name]) => Object.entries(cases[name]?.[part] ?? {}).map((pair) => [id, ...pair] as const))
  const recordedRun = of('run').map(
    ([query, document, score], at) => `${query} Q0 ${document} ${at + 1} ${score} theirs\n`,
  )
  const folder = folderOf({
    'data/corpus.jsonl': jsonl(Object.entries(texts).map(([_id, text]) => ({ _id, text }))),
    'data/queries.jsonl': jsonl(ids.map(([_id]) => ({ _id, text: texts.own }))),
    'data/qrels/test.tsv': of('qrels')
      .map((row) => row.join('\t'))
      .join('\n'),
    'theirs.run': recordedRun.join(''),
  })
  const plan = await readConfig(
    {
      value: {
        name: 'trec-eval',
        methods,
        dataset: { use: 'beir', path: 'data' },
        chunks: { size: 20 },
        budget: { passages, tokens: 900 },
        models: { complete: 'extractive', embed: 'fake' },
        scorers: [{ use: 'retrieval', unit: 'document', k: [1, 2, 3] }],
      },
      name: 'trec-eval.yaml',
    },
    { cwd: folder, environment: {} },
    registries,
  )
  const { trials, scores: scoreLines } = await readResults((await run(plan, tinySettings(folder))).folder)
  const scores = new Map(scoreLines.map((line) => [line.question, line]))
  return { trials, scoreOf: (name: string) => scores.get(ids.find((item) => item[1] === name)?.[0] ?? '') }
}

test('a recorded run has the figures of trec_eval', async () => {
  const { trials, scoreOf } = await ran([{ use: 'recorded', path: 'theirs.run', answers: 'run' }], 10)
  for (const [name, { figures = {} }] of Object.entries(cases)) {
    const { metrics = {} } = scoreOf(name) ?? {}
    const roundedFigures = Object.keys(figures).map((metric) => [
      metric,
      Math.round((metrics[metric] ?? NaN) * 1e4) / 1e4,
    ])
    expect([name, Object.fromEntries(roundedFigures)]).toEqual([name, figures])
  }
  const failed = trials.flatMap(({ failure }) => (failure ? [failure.message] : []))
  expect(failed).toEqual([expect.stringContaining('has no record of this question')])
})

test('no method ranks the document with the id of the query, and each one fills its budget with other documents', async () => {
  const methods = ['bm25', 'tf-idf', 'random', 'vector', 'hybrid', 'mmr', 'parent', 'raptor', 'gem-rag']
  const { trials } = await ran([...methods, { use: 'rerank', depth: 1 }], 3)
  const quotedBy = (isOwn: boolean) =>
    trials.flatMap(({ method, question, context }) => {
      if ((question.id === 'own') !== isOwn) return []
      return [
        { method, passages: context.length, quoted: context.flatMap((item) => (item.derived ? [] : item.documents)) },
      ]
    })
  const ownRun = quotedBy(true)
  expect(ownRun.map(({ method, passages }) => `${method} ${passages}`).sort()).toEqual(
    [...methods, 'rerank'].map((method) => `${method} 3`).sort(),
  )
  expect(ownRun.filter(({ quoted: quotes }) => quotes.includes('own'))).toEqual([])
  // the same text under another id stays, and so does the document for other queries
  expect(ownRun.find(({ method }) => method === 'bm25')?.quoted).toContain('copy')
  for (const { method, quoted: quotes } of quotedBy(false)) if (method === 'bm25') expect(quotes).toContain('own')
})
