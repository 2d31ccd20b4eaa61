import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { itemAt, valueOf } from '../../src/basics/collections.ts'
import { findDataset } from '../../src/datasets/index.ts'
import { mean } from '../../src/math/statistics/descriptive.ts'
import { bm25 } from '../../src/methods/bm25.ts'
import { hybrid } from '../../src/methods/hybrid/hybrid.ts'
import { vector } from '../../src/methods/vector.ts'
import { createUsageCounter, inMemoryCache, openModels } from '../../src/models/index.ts'
import { chunkCorpus, type ChunkedCorpus } from '../../src/run/execute/chunk-corpus.ts'
import { chunkGrades, measuresAt } from '../../src/scorers/retrieval.ts'
import { inReferenceData } from '../../src/test-support/dataset-copies/reference-data.ts'
import { analyserOf } from '../../src/text/analyse.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import type { Method, Models } from '../../src/types.ts'
import { askPython } from './python.ts'
import { small, type BenchRow } from './row.ts'

/** The sets with judgements: dataset, file, how documents are cut (`none` where they are passages), options. */
const sets: readonly (readonly [file: string, dataset: string, by: 'none' | 'tokens', options?: object])[] = [
  ['ragbench/covidqa_test_20.jsonl', 'ragbench', 'none'],
  ['ragbench', 'ragbench', 'none', { subset: 'emanual' }],
  ['covidqa/COVID-QA.first5docs.json', 'covid-qa', 'tokens'],
  ['emanual', 'emanual', 'none'],
  ['qasper/qasper-train-v0.3.sample5.json', 'qasper', 'tokens'],
  ['musique/musique_ans_v1.0.sample20.jsonl', 'musique', 'none'],
  ['musique/musique_train.hipporag100.json', 'musique', 'none'],
  ['recorded/multihop/2wikimultihopqa.sample20.json', '2wikimultihopqa', 'none'],
  ['recorded/multihop/hotpotqa_train.json', 'hotpotqa', 'none'],
  ['recorded/multihop/popqa.json', 'popqa', 'none'],
  ['recorded/dbpedia-entity', 'beir', 'none'],
]

/** Sets of the reference data without judgements. */
const withoutJudgements =
  'techqa (an extract for indexing, without the sentences that its keys name), nq and graphrag-podcast: no judged passages'

const options = { hybrid: hybrid.options.parse({}), bm25: bm25.options.parse({}), vector: vector.options.parse({}) }
const parts = [
  { method: bm25 as Method, options: options.bm25 },
  { method: vector as Method, options: options.vector },
]
const methods = { bm25, vector, hybrid: { ...hybrid, ...hybrid.over?.(parts) } }
type Name = keyof typeof methods
const names = Object.keys(methods) as readonly Name[]
const depth = 100

const ranking = z.array(z.tuple([z.number(), z.number()]))
type Ranking = z.output<typeof ranking>
const reply = z.object({
  about: z.string(),
  found: z.array(z.array(z.object({ bm25: ranking, vector: ranking, hybrid: ranking }))),
})

/**
 * The rankings of bm25, vector (MiniLM) and hybrid on the judged sets of the reference data, beside bm25s and numpy.
 */
export async function* retrievalBench(): AsyncGenerator<BenchRow> {
  const models = await realModels()
  let absentSets = withoutJudgements
  for (const [file, dataset, by, datasetOptions = {}] of small ? sets.slice(0, 1) : sets)
    for (const [path] of inReferenceData([file])) {
      const requests = await loadCorpora(path, dataset, by, datasetOptions)
      const theirs = await searchInPython(requests, models)
      if (typeof theirs === 'string') {
        yield { name: `retrieval on ${file}`, figure: 'not compared', goal: 'the same', met: null, note: theirs }
        return
      }
      for (const name of names) {
        yield await comparedRow(file, name, requests, theirs, models, absentSets)
        absentSets = ''
      }
    }
}

async function realModels(): Promise<Models> {
  const offline = { use: 'extractive', options: {} }
  const models = await openModels(
    { complete: offline, judge: offline, embed: { use: 'minilm', options: {} } },
    {
      cache: inMemoryCache(2 ** 29),
      tokenizer: tokenizer('o200k_base'),
      cacheFolder: '',
      signal: new AbortController().signal,
    },
  )
  return models.scope({
    phase: 'index',
    sample: 0,
    seed: ['retrieval'],
    usualSeeds: true,
    counter: createUsageCounter(),
  })
}

interface SearchedCorpus extends ChunkedCorpus {
  readonly questions: readonly { readonly text: string; readonly grades: ReadonlyMap<string, number> }[]
}

/** The corpora of a set with their chunks, and the questions that have a relevant chunk. */
async function loadCorpora(
  path: string,
  name: string,
  by: 'none' | 'tokens',
  args: object,
): Promise<readonly SearchedCorpus[]> {
  const dataset = await findDataset(name)
  const requests: SearchedCorpus[] = []
  for await (const corpus of dataset.corpora(path, dataset.options.parse(args))) {
    const chunkedCorpus = chunkCorpus(corpus, { size: 100, overlap: 0, by, tokenizer: 'o200k_base' })
    const questions = corpus.questions.flatMap((question) => {
      const { text, searchText = text, evidence = [] } = question
      const grades = chunkGrades({ question, ...chunkedCorpus.locate.relevant(evidence) })
      return grades.size > 0 ? [{ text: searchText, grades }] : []
    })
    if (questions.length > 0) requests.push({ ...chunkedCorpus, questions })
  }
  return requests
}

/** The rankings of bm25s and numpy on the same words and vectors; a message where they are not installed. */
async function searchInPython(
  requests: readonly SearchedCorpus[],
  models: Models,
): Promise<z.output<typeof reply> | string> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-retrieval-'))
  const analyse = analyserOf('english')
  try {
    const [vectors, corpora]: [Float32Array[], object[]] = [[], []]
    for (const { chunks, questions } of requests) {
      const texts = questions.map(({ text }) => text)
      const part = await models.embed(chunks.map(({ text }) => text))
      vectors.push(...part, ...(await models.embed(texts, 'query')))
      const words = chunks.map(({ text }) => analyse(text))
      corpora.push({ words, asked: texts.map(analyse), columns: part[0]?.length ?? 0 })
    }
    await writeFile(join(folder, 'vectors'), Buffer.concat(vectors.map((item) => new Uint8Array(item.slice().buffer))))
    await writeFile(join(folder, 'corpora.json'), JSON.stringify(corpora))
    return await askPython('retrieval.py', [folder, `${depth}`], reply)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function comparedRow(
  file: string,
  name: Name,
  requests: readonly SearchedCorpus[],
  { about, found: results }: z.output<typeof reply>,
  models: Models,
  more: string,
): Promise<BenchRow> {
  const all = { ours: [] as Measures[], theirs: [] as Measures[] }
  let [differences, ties] = [0, 0]
  for (const [place, { chunks, questions }] of requests.entries()) {
    const method: Method = methods[name]
    const index = await method.index(chunks, models, options[name])
    const rows = new Map(chunks.map(({ id }, row) => [id, row]))
    for (const [at, { text, grades }] of questions.entries()) {
      const passages = await index.retrieve({ id: `${at}`, text }, { passages: depth, tokens: Infinity }, models)
      const ours = passages.map(({ from, score }): Ranking[number] => [valueOf(rows, itemAt(from, 0)), score])
      const theirs = itemAt(itemAt(results, place), at)[name]
      all.ours.push(measuresOf(ours, chunks, grades))
      all.theirs.push(measuresOf(theirs, chunks, grades))
      const first = Array.from({ length: depth }).findIndex((_, rank) => ours[rank]?.[0] !== theirs[rank]?.[0])
      const [mine, their] = [ours[first]?.[1] ?? 0, theirs[first]?.[1] ?? 0]
      // scores that are equal in 32 bits stand in either order
      if (first >= 0 && Math.abs(mine - their) <= 1e-5 * Math.abs(mine)) ties++
      else if (first >= 0) differences++
    }
    await index.close?.()
  }
  const formatValue = (of: readonly Measures[]): string =>
    `nDCG@10 ${mean(of.map(({ ndcg }) => ndcg)).toFixed(4)}, recall@5 ${mean(of.map(({ recall }) => recall)).toFixed(4)}`
  const apart = all.ours.reduce((most, { ndcg, recall }, at) => {
    const their = itemAt(all.theirs, at)
    return Math.max(most, Math.abs(ndcg - their.ndcg), Math.abs(recall - their.recall))
  }, 0)
  const sum = (of: (item: SearchedCorpus) => number): string =>
    requests.reduce((total, item) => total + of(item), 0).toLocaleString('en-US')
  const notes = [
    `${about}: ${formatValue(all.theirs)}`,
    `greatest difference of a question ${apart.toFixed(4)}`,
    `${differences} rankings to ${depth} are others, ${ties} only where scores are equal to 5 digits`,
    ...(more === '' ? [] : [`not here: ${more}`]),
  ]
  return {
    name: `${name} on ${file}: ${all.ours.length} questions, ${sum(({ chunks }) => chunks.length)} passages`,
    figure: formatValue(all.ours),
    goal: 'the same',
    met: apart < 1e-9,
    note: notes.join('; '),
  }
}

interface Measures {
  readonly ndcg: number
  readonly recall: number
}

/** nDCG@10 and recall@5 of a ranking. */
function measuresOf(ranks: Ranking, chunks: SearchedCorpus['chunks'], grades: ReadonlyMap<string, number>): Measures {
  const gains = ranks.map(([row]) => grades.get(itemAt(chunks, row).id) ?? 0)
  const units = [...grades.values()]
  return { ndcg: measuresAt(gains, units, 10).ndcg, recall: measuresAt(gains, units, 5).recall }
}
