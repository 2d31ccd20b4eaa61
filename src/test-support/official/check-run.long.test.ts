import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, type Plan } from '../../config/index.ts'
import type { ScoreLine } from '../../records.ts'
import { registries, run, type Settings } from '../../run/index.ts'
import { checkRun } from './check-run.ts'

const sample = new URL('../../../datasets/sample/', import.meta.url).pathname
const documents = ['lake-ostremere', 'the-second-book']
const folder = await project()
const settings: Settings = {
  results: join(folder, 'results'),
  cacheFolder: join(folder, 'cache'),
  cache: true,
  signal: new AbortController().signal,
}

const methods = [
  ...['closed-book', 'random', 'bm25', 'vector', 'gem-rag', 'unweaver', 'unweaver-ppr', 'hipporag', 'hipporag2'],
  'raptor',
  { use: 'raptor', label: 'raptor compat', compat: true },
  { use: 'raptor', label: 'raptor corpus', scope: 'corpus' },
  'full-context',
  'oracle',
]
const scorers = [
  ...['accuracy', 'qasper-f1', 'squad', { use: 'squad', label: 'squad 2.0', version: 2 }, 'musique'],
  ...['chunk', 'document', 'evidence'].map((unit) => ({ use: 'retrieval', label: unit, unit })),
]

test.each([
  ['tokens', {}],
  ['sentences', { by: 'sentences' }],
  ['overlap', { overlap: 20 }],
])(
  'all methods score what the official scripts give: chunks by %s',
  async (name, chunks) => {
    const plan = await planOf(name, { size: 100, ...chunks }, methods)
    const { manifest } = await run(plan, settings)
    const { rows, notCompared } = await checkRun(plan, settings)
    expect(rows.map(({ row }) => row)).toEqual(
      methods.map((method) => (typeof method === 'string' ? method : method.label)),
    )
    for (const { row, trials, failed, differences } of rows)
      expect({ row, trials, failed, differences }).toEqual({
        row,
        trials: manifest.dataset.questions,
        failed: 0,
        differences: [],
      })
    expect(notCompared).toEqual([
      ...['accuracy abstained', 'accuracy unreadable'],
      ...['chunk all-evidence@2', 'chunk all-evidence@5', 'document all-evidence@2', 'document all-evidence@5'],
      ...['evidence all-evidence@2', 'evidence all-evidence@5'],
    ])
  },
  300_000,
)

test('detects a score that differs from the official one, or is missing', async () => {
  const plan = await planOf('planted', { size: 100 }, ['bm25', 'random'])
  const { folder: results } = await run(plan, settings)
  const file = join(results, 'scores.jsonl')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const scored = lines.map((line) => JSON.parse(line) as ScoreLine)
  const at = (scorer: string): number => scored.findIndex((line) => line.scorer === scorer && line.method === 'bm25')
  const [edited, removed] = [at('chunk'), at('qasper-f1')]
  const mrr = scored[edited]?.metrics?.['mrr'] ?? NaN
  lines[edited] = JSON.stringify({ ...scored[edited], metrics: { ...scored[edited]?.metrics, mrr: mrr + 1e-9 } })
  await writeFile(
    file,
    lines
      .filter((_, index) => index !== removed)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const { rows } = await checkRun(plan, settings)
  expect(rows.map(({ row, differences }) => [row, differences])).toEqual([
    [
      'bm25',
      [
        { question: expect.stringMatching(/^choice-/) as string, metric: 'chunk mrr', ours: mrr + 1e-9, official: mrr },
        {
          question: expect.stringMatching(/^answer-/) as string,
          metric: 'qasper-f1',
          ours: 'no score',
          official: 'a score',
        },
      ],
    ],
    ['random', []],
  ])
})

const planOf = (name: string, chunks: object, methods: readonly unknown[]): Promise<Plan> =>
  readConfig(
    {
      value: {
        name,
        chunks,
        methods,
        scorers,
        dataset: { use: 'sample', path: 'sample' },
        budget: { passages: 5, tokens: 500 },
        models: { complete: 'extractive', embed: 'minilm' },
      },
      name: 'official.yaml',
    },
    { cwd: folder, environment: {} },
    registries,
  )

/** A folder with the first pages of two documents of the sample dataset, and the questions that need nothing else. */
async function project(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'gembench-official-'))
  await mkdir(join(made, 'sample', 'documents'), { recursive: true })
  const texts = new Map<string, string>()
  for (const name of documents) {
    const whole = await readFile(join(sample, 'documents', `${name}.md`), 'utf8')
    texts.set(name, `${whole.slice(0, whole.indexOf('\n\n', 3600))}\n`)
    await writeFile(join(made, 'sample', 'documents', `${name}.md`), texts.get(name) ?? '')
  }
  const questions = (await readFile(join(sample, 'questions.jsonl'), 'utf8')).trimEnd().split('\n')
  const kept = questions.filter((line) =>
    placesIn(JSON.parse(line)).every(({ document, paragraph }) => texts.get(document)?.includes(`\n\n${paragraph}`)),
  )
  await writeFile(join(made, 'sample', 'questions.jsonl'), kept.map((line) => `${line}\n`).join(''))
  return made
}

interface Place {
  readonly document: string
  readonly paragraph: string
}

/** The evidence of a question and of its annotators, as questions.jsonl names it. */
function placesIn(line: unknown): readonly Place[] {
  const { evidence = [], accepted = [] } = line as { evidence?: Place[]; accepted?: { evidence?: Place[] }[] }
  return [...evidence, ...accepted.flatMap((answer) => answer.evidence ?? [])]
}
