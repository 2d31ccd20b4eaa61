import { z } from 'zod'
import { fieldsOf } from '../define.ts'
import { tokenizerNames } from '../text/tokens.ts'
import { answerRequests, cutBy, usualPercentile, type Budget } from '../types.ts'
import { isSecretKey } from './environment.ts'
import { promptMessages, type PlugInSpec, type Registries } from './plug-ins.ts'

const text = z.string().min(1)

const count = z.int().min(1)

/** A description: what an option is, and what each of its values means. */
function described(subject: string, meanings: Readonly<Record<string, string>>): string {
  const values = Object.entries(meanings).map(([value, meaning]) => `${value}: ${meaning}`)
  return `${subject}. ${values.join('; ')}`
}

/** The section of the dataset, where it is a mapping. */
export const datasetSection = z.strictObject({
  use: text.describe('name of a dataset, or path of a file that exports one'),
  path: text
    .optional()
    .describe('file or folder of the dataset, relative to the config file; default: where `gembench data get` puts it'),
  limit: count.optional().describe('ask at most this many questions, the first ones; default: all'),
  onBadRecord: z
    .enum(['stop', 'skip'])
    .optional()
    .describe(
      'what is done with a record that cannot be read: stop (the default) refuses the whole file and says where; skip leaves the record out and counts it (our reading)',
    ),
  options: z.looseObject({}).optional().describe('options of the dataset'),
})

const dataset = z.union([text, datasetSection]).meta({
  id: 'Dataset',
  description:
    'the dataset: its name, a mapping with path, limit and options, or your own data: { documents: FOLDER, questions: FILE }',
})

const chunks = z
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
        described('where documents are cut', {
          tokens: 'after any token',
          'sentences, paragraphs': 'between them, where they fit into size',
          headings: 'at headings of Markdown and HTML, longer sections between paragraphs',
          recursive: 'at blank lines, else lines, else spaces, as LangChain does',
          semantic: 'where the vectors of neighbouring sentences differ',
          none: 'not at all',
        }),
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
  .superRefine(({ size, overlap, by, path, percentile }, context) => {
    const refuse = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    const refuseUnlessBy = (usual: string, key: string) =>
      refuse(key, `is for chunks.by: ${usual}; remove it, or set chunks.by`)
    if (overlap >= size) refuse('overlap', 'must be less than chunks.size')
    if (path !== undefined && by !== 'headings') refuseUnlessBy('headings', 'path')
    if (percentile !== undefined && by !== 'semantic') refuseUnlessBy('semantic', 'percentile')
  })

/** Passages of a context, and of a ranking that is scored alone. */
export const defaultPassages = { context: 5, ranking: 100 } as const

const budget = z.strictObject({
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

const limits = z.strictObject({
  indexSeconds: seconds("index() of a method in a file of one's own, or of the program of `command`, for one corpus,"),
  retrieveSeconds: seconds('retrieve() of such a method, or its own answer, for one question,'),
  scoreSeconds: seconds("score() of a scorer in a file of one's own, for one answer,"),
})

const repeats = z.union([
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
  baseline: text
    .optional()
    .describe('row that every other row is compared with, by its name in the table; default: all pairs of rows'),
  metric: text
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

/** How the network of graph-of-records is trained; the defaults suit a processor. */
export const train = z.strictObject({
  heads: count.default(1).describe('heads of a layer, each as wide as a vector; code of the paper: 4'),
  layers: count.default(2).describe('layers of the network'),
  epochs: count.default(25).describe('how often every graph is trained on; code of the paper: 150'),
  rate: z.number().positive().default(1e-3).describe('learning rate at the beginning'),
  batch: count.default(8).describe('graphs of a step; code of the paper: 32'),
  labels: z
    .enum(['bertscore', 'cosine'])
    .default('bertscore')
    .describe(
      'what orders the nodes for a simulated query: how near they are to the text that it was asked about, by BERTScore over the vectors of their tokens (the objective of the paper), or by the cosine of their vectors, which is faster',
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

const label = z
  .string()
  .regex(
    /^(?!.*\$\{)[^\p{C}\s](?:[^\p{C}\p{Zl}\p{Zp}]{0,78}[^\p{C}\s])?$/u,
    'must be one line of at most 80 printable characters, without ${…}',
  )
  .describe('name in the tables; default: its own name')

/** A plug-in by name, or with options, which it checks itself. `id` is its name in the JSON schema. */
function plugIn(id: string, subject: string, fields: Record<string, z.ZodType> = {}) {
  const description = `name of a ${subject}, or path of a file that exports one`
  const use = text.describe(description)
  return z.union([text, z.looseObject({ use, ...fields })]).meta({ id, description })
}

/** The default seed; with it a method uses the seed of its paper's code. */
export const defaultSeed = 42

/** The models of a config that names none. */
export const defaultModels = { complete: 'extractive', embed: 'minilm' } as const

const methodEntry = plugIn('Method', 'method', {
  label: label.optional(),
  budget: rowBudgetSchema
    .optional()
    .describe('budget of this row, where it is not that of all: the table then says that rows have unequal budgets'),
})

const scorerEntry = plugIn('Scorer', 'scorer', { label: label.optional() })

const completes = plugIn('CompleteModel', 'model that completes prompts')
const embeds = plugIn('EmbedModel', 'model that embeds texts')
const reranks = plugIn('RerankModel', 'model that scores texts for a question')

const models = z.strictObject({
  complete: completes
    .default(defaultModels.complete)
    .describe('model that answers questions and that methods call to build an index or to retrieve'),
  answer: completes
    .optional()
    .describe('model that answers questions, if another than methods call; default: the complete model'),
  embed: embeds.default(defaultModels.embed).describe('model that embeds texts'),
  judge: completes.optional().describe('model that scorers with a judge call; default: the complete model'),
  rerank: reranks
    .optional()
    .describe('model that scores passages for a question, which the method rerank can ask; default: none'),
})

const prompt = z.union([text, promptMessages])

const prompts = z.union([text, z.record(text, prompt)])

/** Keys of a config that `vary` may name, alone or with what lies below them. */
export const variableKeys = [
  'dataset',
  'chunks',
  'budget',
  'answers',
  'models',
  'prompts',
  'scorers',
  'repeats',
  'judgeRuns',
  'seed',
  'limits',
] as const

/** Whether a key of `vary` can be varied, if it is one of the config. */
export function isVariable(key: string): boolean {
  const path = key.split('.')
  if (!Object.hasOwn(configSchema.shape, path[0] ?? key)) return true
  return variableKeys.some((name) => name === path[0]) && !path.some(isSecretKey) && !path.includes('')
}

const configKeys = `a key of the config, as in chunks.size: one of ${variableKeys.join(', ')}, or below`

const howToVary = `must be method.option, as in gem-rag.components, or ${configKeys}`

const varySchema = z
  .record(
    z
      .string()
      .regex(new RegExp(`^(.+\\.[^.]+|${variableKeys.join('|')})$`, 's'), { error: howToVary, abort: true })
      .refine(isVariable, howToVary),
    z.array(z.unknown()).min(1),
  )
  .describe(
    described('what to vary, each with a list of values', {
      'method.option or label.option': 'combinations become variants of that method',
      'a key of the config, such as chunks.size or models.complete.model':
        'combinations become runs, all in one table (design says which combinations)',
    }),
  )

/** Which combinations of varied values are run. */
export const designs = ['all', 'one-at-a-time'] as const

const defaultAnswers =
  'span replaces short where every question has an answer. ' +
  'Default: that of the dataset, none where no named scorer reads an answer'

/** A config file. Options of plug-ins are validated by the schemas of the plug-ins. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('path of the JSON schema, for editors; gembench does not read it'),
  name: z
    .string()
    .max(80)
    .regex(
      /^[A-Za-z0-9][\w.-]*$/,
      'must start with a letter or digit and contain only letters, digits, "-", "_" and "." (it names a folder)',
    )
    .describe('name of the experiment and of its results folder'),
  dataset,
  chunks: chunks.prefault({}).describe('how documents are cut into chunks'),
  budget: budget
    .prefault({})
    .describe('limits of the context of every question, the same for all methods within the budget; both apply'),
  answers: z
    .enum(answerRequests)
    .optional()
    .describe(
      described('answers that the prompt asks for', {
        short: 'a span, yes, no or "unanswerable"',
        span: 'short without "unanswerable"',
        sentence: 'one sentence',
        reasoned: 'thoughts, then a span after "Answer:"',
        'by-reference': 'short where the shortest reference has up to six words, else sentence',
        'span-by-reference': 'the same with span',
        none: `retrieval alone is scored. ${defaultAnswers}`,
      }),
    ),
  models: models.prefault({}).describe('the models of the run'),
  prompts: prompts
    .optional()
    .describe(
      "prompts in place of gembench's own: the name of a set for all tasks that it has, such as paper, or a mapping of task to a file, a set or a list of messages, with use: SET for the rest",
    ),
  methods: z.array(methodEntry).min(1).describe('the methods to compare'),
  scorers: z
    .array(scorerEntry)
    .min(1)
    .optional()
    .describe('the scorers; default: those that fit the kinds of the questions'),
  compare: compare
    .optional()
    .describe('how the table compares rows; changes no answer and no score, and may be changed for results that exist'),
  repeats: repeats
    .default(1)
    .describe(
      'how often every question is asked; each repeat draws other random numbers, those of the indexes included, unless a mapping says otherwise',
    ),
  judgeRuns: count
    .optional()
    .describe('how often a scorer with a judge scores each answer; default: 5, or 1 where no scorers are named'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(defaultSeed)
    .describe('seed of all random numbers, but for those of a method whose option "seed" is set'),
  concurrency: count.max(1000).default(16).describe('questions asked at the same time; does not change results'),
  limits: limits
    .prefault({})
    .describe(
      "how long functions in a file of one's own, and programs of `command`, may take; does not change other rows, and methods of gembench have no such limit",
    ),
  train: train
    .optional()
    .describe('how `gembench train` trains the network of graph-of-records; other commands do not read it'),
  vary: varySchema.optional(),
  design: z
    .enum(designs)
    .optional()
    .describe(
      described('which combinations of the values in vary are run', {
        all: 'every one',
        'one-at-a-time': 'the first value of everything, and each other value with all else at the first',
        default: 'all',
      }),
    ),
})

export type ConfigInput = z.input<typeof configSchema>

export type Config = z.infer<typeof configSchema>

/** The budget of a config with the default number of passages. */
export const budgetOf = ({ budget: { passages, tokens }, answers }: Pick<Config, 'budget' | 'answers'>): Budget => ({
  passages: passages ?? defaultPassages[answers === 'none' ? 'ranking' : 'context'],
  tokens,
})

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON schema (draft 2020-12) of a config for editors, with the options of every plug-in in the registries. */
export async function configJsonSchema(registries: Omit<Registries, 'loadFile'>): Promise<JsonSchema> {
  const files = await registries.datasets.load('files')
  const providers = await registries.models.all()
  const modelsFor = (ability: 'complete' | 'embed' | 'rerank') => providers.filter(({ can }) => can?.includes(ability))
  return {
    ...jsonSchemaOf(configSchema),
    title: 'gembench experiment',
    $defs: {
      Dataset: entrySchema(dataset, await registries.datasets.all(), files ? [ownData(files)] : []),
      Method: entrySchema(methodEntry, await registries.methods.all()),
      Scorer: entrySchema(scorerEntry, await registries.scorers.all()),
      CompleteModel: entrySchema(completes, modelsFor('complete')),
      EmbedModel: entrySchema(embeds, modelsFor('embed')),
      RerankModel: entrySchema(reranks, modelsFor('rerank')),
    },
  }
}

/** The short form of the dataset `files`: its options beside `documents`. */
const ownData = (files: PlugInSpec): z.ZodType =>
  z.strictObject({
    documents: text.describe('folder of your documents, relative to the config file; folders in it are read too'),
    ...fieldsOf(files.options),
    ...datasetSection.pick({ limit: true, onBadRecord: true }).shape,
  })

/** A name or the path of a plug-in's file, or a mapping with `use` and the options that go with it. */
function entrySchema(
  { description = '', options: [, mapping] }: typeof dataset | ReturnType<typeof plugIn>,
  items: readonly PlugInSpec[],
  more: readonly z.ZodType[] = [],
): JsonSchema {
  const names = items.length === 0 ? [] : [z.literal(items.map(({ name }) => name))]
  const mappings = items.map(({ name, options }) => {
    // the options of a dataset are under `options`; those of other plug-ins are next to `use`
    const fields = 'options' in mapping.shape ? { options: options.optional() } : fieldsOf(options)
    return z.strictObject({ ...mapping.shape, ...fields, use: z.literal(name) })
  })
  const path = z.string().regex(/\.(ts|js|mjs)$/)
  const forms = [...names, ...mappings, path, mapping.extend({ use: path }), ...more]
  const { $schema: _schema, ...schema } = jsonSchemaOf(z.union(forms).describe(description))
  return schema
}

/** The JSON schema of a value as it is written. */
const jsonSchemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
