import { z } from 'zod'
import { tokenizerNames } from '../text/tokens.ts'
import { cutBy, usualPercentile } from '../types.ts'

export const count = z.int().min(1)

/** The section of the dataset, where it is a mapping. */
export const datasetSection = z.strictObject({
  use: z.string().min(1).describe('name of a dataset, or path of a file that exports one'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('file or folder of the dataset, relative to the config file; default: where `gembench data get` puts it'),
  split: z
    .string()
    .min(1)
    .optional()
    .describe('official part to read when the path is a folder, where the dataset is published in parts'),
  limit: count.optional().describe('ask at most this many questions, the first ones; default: all'),
  onBadRecord: z
    .enum(['stop', 'skip'])
    .optional()
    .describe(
      'what is done with a record that cannot be read: stop (the default) refuses the whole file and says where; skip leaves the record out and counts it (our reading)',
    ),
  options: z.looseObject({}).optional().describe('options of the dataset'),
})

export const dataset = z.union([z.string().min(1), datasetSection]).meta({
  id: 'Dataset',
  description:
    'the dataset: its name, a mapping with path, limit and options, or your own data: { documents: FOLDER, questions: FILE }',
})

export const chunks = z
  .strictObject({
    size: count.default(100).describe('largest number of tokens in a chunk'),
    overlap: z
      .int()
      .min(0)
      .default(0)
      .describe('tokens that a chunk repeats from the previous one; must be less than size'),
    by: z
      .enum(cutBy)
      .default('tokens')
      .describe(
        'where documents are cut. tokens: after any token; sentences, paragraphs: between them, where they fit into size; headings: at headings of Markdown and HTML, longer sections between paragraphs; recursive: at blank lines, else lines, else spaces, as LangChain does; semantic: where the vectors of neighbouring sentences differ; none: not at all',
      ),
    path: z
      .boolean()
      .optional()
      .describe(
        'with by: headings, whether the headings above a chunk stand before it as a line of its own, unless they take more than half of size; default: false',
      ),
    percentile: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        `with by: semantic, a document is cut where two neighbouring sentences are further apart than this percentage of all; default: ${usualPercentile}`,
      ),
    tokenizer: z.enum(tokenizerNames).default('o200k_base').describe('tokenizer of all token counts of the run'),
  })
  .refine(({ size, overlap }) => overlap < size, { path: ['overlap'], error: 'must be less than chunks.size' })
  .refine(({ by, path }) => path === undefined || by === 'headings', {
    path: ['path'],
    error: 'is for chunks.by: headings; remove it, or set chunks.by',
  })
  .refine(({ by, percentile }) => percentile === undefined || by === 'semantic', {
    path: ['percentile'],
    error: 'is for chunks.by: semantic; remove it, or set chunks.by',
  })

/** Passages of a context, and of a ranking that is scored alone. */
export const defaultPassages = { context: 5, ranking: 100 } as const

export const budget = z.strictObject({
  passages: count
    .optional()
    .describe(
      `largest number of passages in a context; without answers, how deep rankings are read (default: ${defaultPassages.context}; with answers: none ${defaultPassages.ranking})`,
    ),
  tokens: count
    .default(1000)
    .describe('largest number of tokens in a context; without answers, of the passages whose texts are kept'),
})

export const rowBudgetSchema = z.strictObject({
  passages: count.exactOptional().describe('largest number of passages in a context of this row'),
  tokens: count.exactOptional().describe('largest number of tokens in a context of this row'),
})

/** Seconds that a function of a plug-in may take; Node limits timers to 24 days. */
const seconds = (call: string) =>
  z
    .number()
    .gt(0)
    .max(2_000_000)
    .default(600)
    .describe(`largest number of seconds that ${call} may take, its calls to models included; then it has failed`)

export const limits = z.strictObject({
  indexSeconds: seconds("index() of a method in a file of one's own, or of the program of `command`, for one corpus,"),
  retrieveSeconds: seconds('retrieve() of such a method, or its own answer, for one question,'),
  scoreSeconds: seconds("score() of a scorer in a file of one's own, for one answer,"),
})

export const repeats = z.union([
  count,
  z.strictObject({
    count: count.describe('how often every question is asked'),
    index: z
      .boolean()
      .default(true)
      .describe(
        'whether each repeat asks an index of its own where the index depends on random numbers; false: all repeats ask the one of the first',
      ),
  }),
])

export const compare = z.strictObject({
  baseline: z
    .string()
    .min(1)
    .optional()
    .describe('row that every other row is compared with, by its name in the table; default: all pairs of rows'),
  metric: z
    .string()
    .min(1)
    .optional()
    .describe(
      'metric that rows are compared on: its name or title in the table, or scorer.metric; default: the first of the table',
    ),
  margin: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      'rows whose scores differ by less count as the same, as a fraction (.03 is 3 points): adds an equivalence test (TOST). It is also the loss that `gembench diff --fail-if worse` lets pass, and that the recommended row may have (default there: .05)',
    ),
})

const share = z.number().min(0).lt(1)

/** Presets of `gembench train`: one for a CPU in minutes, and that of the paper's code. */
const presets = {
  cpu: { heads: 1, layers: 2, epochs: 25, rate: 1e-3, batch: 8, labels: 'bertscore' },
  reference: { heads: 4, layers: 2, epochs: 150, rate: 1e-3, batch: 32, labels: 'bertscore' },
} as const

const ofPreset = (name: keyof (typeof presets)['cpu']): string =>
  `default: ${presets.cpu[name]} with preset cpu, ${presets.reference[name]} with reference`

/** The key `train` of a config: how the network of graph-of-records is trained. */
export const train = z.strictObject({
  preset: z
    .enum(['cpu', 'reference'])
    .default('cpu')
    .describe(
      'what the other keys are where they are not given: a size for a processor, or that of the code of the paper',
    ),
  heads: count.exactOptional().describe(`heads of a layer, each as wide as a vector; ${ofPreset('heads')}`),
  layers: count.exactOptional().describe(`layers of the network; ${ofPreset('layers')}`),
  epochs: count.exactOptional().describe(`how often every graph is trained on; ${ofPreset('epochs')}`),
  rate: z
    .number()
    .positive()
    .exactOptional()
    .describe(`learning rate at the beginning; ${ofPreset('rate')}`),
  batch: count.exactOptional().describe(`graphs of a step; ${ofPreset('batch')}`),
  labels: z
    .enum(['bertscore', 'cosine'])
    .exactOptional()
    .describe(
      `what orders the nodes for a simulated query: how near they are to the text that it was asked about, by BERTScore over the vectors of their tokens (the objective of the paper), or by the cosine of their vectors, which is faster; ${ofPreset('labels')}`,
    ),
  dropout: share.default(0.2).describe('share of the numbers that go into a layer and are left out'),
  attentionDropout: share.default(0.1).describe('share of the messages that are left out'),
  contrastive: z
    .boolean()
    .default(true)
    .describe(
      'whether the contrastive loss counts; false: ablation of the paper, with coe: 0 the network stays as it began',
    ),
  coe: z.number().min(0).default(0.5).describe('weight of the ranking loss; 0: ablation of the paper'),
  tieRule: z
    .enum(['position', 'skip'])
    .default('position')
    .describe(
      'whether nodes of equal labels are a pair of the ranking loss, in their order (code of the paper), or none',
    ),
  direction: z
    .enum(['toResponse', 'both'])
    .default('toResponse')
    .describe('messages from materials to responses (code of the paper), or both ways (its text)'),
  duplicateSelfLoop: z
    .enum(['merge', 'keep'])
    .default('merge')
    .describe(
      'whether the message of a response to itself counts twice where it is its own material (keep: code of the paper)',
    ),
})

/** The training options with the defaults of their preset. */
export const trainingOf = (settings: z.output<typeof train>) => ({ ...presets[settings.preset], ...settings })

export type PlannedTraining = ReturnType<typeof trainingOf>
