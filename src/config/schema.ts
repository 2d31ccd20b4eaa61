import { z } from 'zod'
import { tokenizerNames } from '../text/tokens.ts'

const label = z
  .string()
  .regex(
    /^[^\p{C}\s](?:[^\p{C}\p{Zl}\p{Zp}]{0,78}[^\p{C}\s])?$/u,
    'must be one line of at most 80 printable characters',
  )
  .describe('name in the tables; default: the name of the plug-in')

const count = z.int().min(1)

/** A plug-in by name, or with options; which options there are is the plug-in's to say. `id` is its name in the JSON schema. */
const plugIn = (id: string, what: string, own: Record<string, z.ZodType>) =>
  z
    .union([z.string().min(1), z.looseObject({ use: z.string().min(1).describe(what), ...own })])
    .meta({ id, description: what })

const dataset = z
  .union([
    z.string().min(1),
    z.strictObject({
      use: z.string().min(1).describe('name of a dataset, or path of a file that exports one'),
      path: z
        .string()
        .min(1)
        .optional()
        .describe('where its files are, seen from the config file; default: where `gembench data get` puts them'),
      split: z.string().min(1).optional().describe('short for options.split'),
      limit: count.optional().describe('questions to ask at most, the first ones; default: all'),
      options: z.looseObject({}).optional().describe('options of the dataset'),
    }),
  ])
  .meta({ id: 'Dataset', description: 'what is read: a dataset by name, or with path, limit and options' })

const chunks = z
  .strictObject({
    size: count.default(100).describe('tokens of a chunk at most'),
    overlap: z.int().min(0).default(0).describe('tokens shared with the chunk before, less than size'),
    by: z
      .enum(['tokens', 'sentences', 'none'])
      .default('tokens')
      .describe('cut after tokens, only between sentences, or not at all'),
    tokenizer: z.enum(tokenizerNames).default('o200k_base').describe('what counts tokens everywhere in the run'),
  })
  .refine(({ size, overlap }) => overlap < size, { path: ['overlap'], error: 'must be less than chunks.size' })

const budget = z.strictObject({
  passages: count.default(5).describe('passages of a context at most'),
  tokens: count.default(1000).describe('tokens of a context at most'),
})

/** What a config uses where it names no model. */
export const defaultModels = { complete: 'extractive', embed: 'minilm' } as const

const completes = plugIn('CompleteModel', 'name of a model that completes prompts', {})
const embeds = plugIn('EmbedModel', 'name of a model that embeds texts', {})

const models = z.strictObject({
  complete: completes
    .default(defaultModels.complete)
    .describe('answers, and everything that methods ask of a language model'),
  answer: completes.optional().describe('answers instead, where methods ask another; default: the complete model'),
  embed: embeds.default(defaultModels.embed).describe('turns texts into vectors'),
  judge: completes.optional().describe('asked by scorers that judge; default: the complete model'),
})

const varied = z
  .record(
    z.string().regex(/^.+\.[^.]+$/s, 'must read method.option, as in gem-rag.components'),
    z.array(z.unknown()).min(1),
  )
  .describe('method.option or label.option to a list of values: every combination becomes a variant of that method')

/** A config as it is written. The mistakes of plug-in options are found by the schemas of the plug-ins. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors; not read'),
  name: z
    .string()
    .max(80)
    .regex(
      /^[A-Za-z0-9][\w.-]*$/,
      'must start with a letter or digit and hold only letters, digits, "-", "_" and "." (it names a folder)',
    )
    .describe('name of the experiment and of its results folder'),
  dataset,
  chunks: chunks.prefault({}).describe('how documents are cut'),
  budget: budget.prefault({}).describe('limits on every context, the same for every method; both hold'),
  answers: z
    .enum(['short', 'sentence'])
    .optional()
    .describe('how free answers are asked for; default: as the dataset does'),
  models: models.prefault({}).describe('the models of the run'),
  methods: z
    .array(plugIn('Method', 'name of a method, or path of a file that exports one', { label: label.optional() }))
    .min(1)
    .describe('what is compared'),
  scorers: z
    .array(plugIn('Scorer', 'name of a scorer, or path of a file that exports one', { label: label.optional() }))
    .min(1)
    .optional()
    .describe('what is measured; default: what suits the questions'),
  repeats: count.default(1).describe('times that every question is asked'),
  judgeRuns: count.default(5).describe('times that every judge is asked about one answer'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(42)
    .describe('where every random number comes from'),
  concurrency: count.max(1000).default(16).describe('questions in flight; never changes a result'),
  vary: varied.optional(),
})

/** A config with its defaults. */
export type Config = z.infer<typeof configSchema>
