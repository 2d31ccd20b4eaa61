import { z, type ZodType } from 'zod'
import { resultsFormat } from '../../records.ts'
import { answersWanted, cutBy } from '../../types.ts'

const text = z.string()
const count = z.int().min(0)
const whole = z.int()
const number = z.number()
const texts = z.array(text)
const counts = z.record(text, count)
const anything = z.record(text, z.unknown())
const only = z.literal

const row = { method: text, variant: text }
const byMethod = { ...row, methodId: text }
const phase = z.enum(['index', 'retrieve', 'answer', 'judge'])
const failure = z.object({ phase, kind: text, message: text, raw: text.optional() })
const kind = z.enum(['choice', 'answer', 'summary', 'turn'])

const spent = { calls: number, promptTokens: number, completionTokens: number, embeddedTokens: number }
const usage = z.object({
  ...spent,
  estimated: number,
  embeddingCalls: number.optional(),
  embeddedTexts: number.optional(),
  rankedTokens: number.optional(),
  rankedTexts: number.optional(),
  cutTexts: number.optional(),
  unreadTokens: number.optional(),
  cut: number.optional(),
  repaired: number.optional(),
  partial: number.optional(),
  skippedItems: number.optional(),
  withoutSchema: number.optional(),
  withoutSystem: number.optional(),
  cutPrompts: number.optional(),
})

const evidence = z.array(
  z.object({
    documentId: text,
    text: text.optional(),
    start: count.optional(),
    grade: number.optional(),
    missing: only(true).optional(),
  }),
)
const accepted = z.array(
  z.object({
    text,
    type: z.enum(['extractive', 'abstractive', 'boolean', 'unanswerable']).optional(),
    evidence: evidence.optional(),
  }),
)
const reference = z.discriminatedUnion('kind', [
  z.object({ kind: only('choice'), options: texts, correct: count }),
  z.object({ kind: only('answer'), accepted }),
  z.object({ kind: only('summary'), accepted: texts }),
  z.object({ kind: only('turn'), accepted: text }),
])
const question = z.object({
  id: text,
  text,
  reference,
  evidence: evidence.optional(),
  tags: texts.optional(),
  cluster: text.optional(),
  history: z.array(z.object({ speaker: text, text })).optional(),
  roles: z.object({ asks: text, replies: text }).optional(),
  searchText: text.optional(),
  notRelevant: z.record(text, number).optional(),
  notInCorpus: z.record(text, number).optional(),
  excludedIds: texts.optional(),
  decomposition: z.array(z.object({ question: text, answer: text, documentId: text.optional() })).optional(),
  synthetic: text.optional(),
})

const passage = z.object({
  digest: text,
  score: number,
  from: texts,
  kind: z.enum(['chunk', 'summary', 'facts']),
  tokens: count,
  documents: texts.optional(),
  spans: z.array(z.object({ documentId: text, start: count, end: count })).optional(),
  derived: only(true).optional(),
  why: anything.optional(),
  evidence: z.array(count).optional(),
  relevant: texts.optional(),
  paragraphs: texts.optional(),
})

const answer = z.object({
  text,
  choice: count.nullable().optional(),
  tied: only(true).optional(),
  canned: only(true).optional(),
})

const graph = z.object({
  nodes: count,
  edges: count,
  components: count.nullable(),
  largest: count.nullable(),
})

const index = z.object({
  line: only('index'),
  id: text,
  ...byMethod,
  corpus: text,
  repeat: count.optional(),
  documents: count,
  chunks: count,
  usage,
  stats: anything.optional(),
  warnings: counts.optional(),
  graph: graph.optional(),
  unembedded: texts.optional(),
  failure: failure.optional(),
})

const held = z.enum(['whole', 'part', 'none'])
const place = z.union([
  z.object({ absent: only(true) }),
  z.object({ cut: only(true).optional(), context: held, ranking: held }),
])
const beyond = passage.omit({ digest: true, tokens: true, spans: true, why: true, paragraphs: true })

const trial = z
  .object({
    line: only('trial'),
    id: text,
    ...byMethod,
    corpus: text,
    repeat: count,
    question,
    context: z.array(passage),
    relevant: texts.optional(),
    grades: z.array(number).optional(),
    stopped: z.enum(['end', 'passages', 'tokens']),
    evidence: z.array(place).optional(),
    asked: count.optional(),
    beyond: z.array(beyond).optional(),
    answer: answer.nullable().optional(),
    failure: failure.optional(),
    usage: z.object({ retrieve: usage, answer: usage }),
  })
  .refine(
    (line) => (line.answer === undefined) !== (line.failure === undefined),
    'must have either "answer" or "failure"',
  )

export const trialsForm: ZodType = z.discriminatedUnion('line', [index, trial])

export const passagesForm: ZodType = z.object({ digest: text, text })

export const scoresForm: ZodType = z
  .object({
    trial: text,
    question: text,
    cluster: text.optional(),
    ...byMethod,
    repeat: count,
    scorer: text,
    scorerId: text,
    run: count,
    against: text.optional(),
    subsets: texts,
    usage,
    metrics: z.record(text, number).optional(),
    parts: anything.optional(),
    skipped: text.optional(),
    failure: failure.optional(),
  })
  .refine(
    ({ metrics, skipped, failure: failed }) =>
      [metrics, skipped, failed].filter((one) => one !== undefined).length === 1,
    'must have one of "metrics", "skipped" and "failure"',
  )

export const meterForm: ZodType = z.object({
  ...row,
  phase,
  cached: number,
  milliseconds: number,
  embeddingMilliseconds: number.optional(),
  newTexts: number.optional(),
  newEmbeddedTokens: number.optional(),
})

const price = z.object({ prompt: number, completion: number, embedding: number })
const model = z.object({
  provider: text,
  model: text,
  baseUrl: text.optional(),
  parameters: anything,
  readsTokens: number.optional(),
  digest: text.optional(),
  price: price.optional(),
})
const range = z.tuple([number.nullable(), number.nullable()])
const column = z.object({
  metric: text,
  subset: text.optional(),
  label: text.optional(),
  unit: z.enum(['percent', 'number', 'count']).optional(),
  better: only('none').optional(),
  shown: only(false).optional(),
})
const varied = z.array(z.object({ option: text, text })).optional()
const budget = z.object({ passages: count, tokens: count })
const method = z.object({
  ...row,
  id: text,
  use: text,
  options: anything,
  ranks: only(false).optional(),
  context: z.enum(['none', 'unlimited', 'evidence']).optional(),
  answers: only('own').optional(),
  varied,
  budget: budget.optional(),
  inConfig: only(false).optional(),
  run: z.undefined().optional(),
})
const replaced = z.object({
  ...row,
  id: text,
  use: text.optional(),
  options: z.unknown().optional(),
  run: z.undefined().optional(),
})
const scorer = z.object({
  id: text,
  scorer: text,
  use: text,
  version: whole,
  options: anything,
  kinds: z.array(kind),
  judge: z.boolean(),
  judgedBy: model.optional(),
  failures: only(true).optional(),
  ranges: z.record(text, range).optional(),
  ranks: only(true).optional(),
  summary: text.optional(),
  note: text.optional(),
  columns: z.array(column),
})
const dataset = z.object({
  name: text,
  source: text,
  licence: text,
  checksum: text,
  files: texts,
  corpora: count,
  documents: count,
  questions: count,
  leftOut: counts.optional(),
  notes: texts.optional(),
  language: text.optional(),
  synthetic: z.object({ questions: count, by: texts }).optional(),
  dropped: z.record(text, texts).optional(),
  options: anything,
  unused: texts.optional(),
  digests: z.record(text, z.record(text, text)).optional(),
})
const compare = z.object({
  baseline: z.object(row).optional(),
  metric: z.object({ scorer: text, metric: text }).optional(),
  margin: number.optional(),
})

export const manifestForm: ZodType = z.object({
  format: only(resultsFormat),
  gembench: text,
  name: text,
  hash: text,
  config: anything,
  git: z.object({ commit: text, dirty: z.boolean().nullable() }).nullable(),
  versions: z.record(text, text),
  machine: z.record(text, z.union([text, number])),
  seed: whole,
  repeats: whole.min(1),
  indexPerRepeat: only(false).optional(),
  judgeRuns: whole.min(1),
  asks: z.object({ questions: count, repeats: count }).optional(),
  // made of the manifests of its runs, never read
  varied,
  series: z.undefined().optional(),
  dataset,
  answers: z.enum(answersWanted),
  chunks: z.object({
    size: count,
    overlap: count,
    by: z.enum(cutBy),
    tokenizer: text,
    path: z.boolean().optional(),
    percentile: number.optional(),
  }),
  budget,
  models: z.object({
    complete: model,
    answer: model.optional(),
    embed: model,
    judge: model,
    rerank: model.optional(),
  }),
  offline: texts,
  prompts: z.record(text, z.object({ version: whole, hash: text, own: z.literal(true).optional() })),
  methods: z.array(method),
  replaced: z.array(replaced).optional(),
  scorers: z.array(scorer),
  compare: compare.optional(),
  indexes: z
    .object({
      corporaLeftOut: count,
      of: z.array(
        z.object({
          ...row,
          corpus: text,
          repeat: count.optional(),
          stats: anything.optional(),
          warnings: counts.optional(),
        }),
      ),
    })
    .optional(),
  callsInNoLine: count.optional(),
  checksums: z.object({ trials: text, passages: text, scores: text, meter: text, manifest: text }).partial().optional(),
  started: text,
  finished: text.nullable(),
})

/** series.json. A name never leads out of the folder that holds the results folders. */
export const seriesForm: ZodType = z.object({
  format: only(resultsFormat),
  name: text,
  hash: text,
  varied: texts,
  runs: z.array(text.regex(/^[A-Za-z0-9][\w.-]*$/)).min(1),
})
