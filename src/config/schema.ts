import { z } from 'zod'
import { fieldsOf } from '../define.ts'
import { answerRequests, type Budget } from '../types.ts'
import type { PlugInSpec, Registries } from './plug-ins.ts'
import {
  budget,
  chunks,
  compare,
  count,
  dataset,
  datasetSection,
  defaultPassages,
  limits,
  repeats,
  rowBudgetSchema,
  train,
} from './sections.ts'

const label = z
  .string()
  .regex(
    /^[^\p{C}\s](?:[^\p{C}\p{Zl}\p{Zp}]{0,78}[^\p{C}\s])?$/u,
    'must be one line of at most 80 printable characters',
  )
  .describe('name in the tables; default: its own name')

/** A plug-in by name, or with options, which it checks itself. `id` is its name in the JSON schema. */
function plugIn(id: string, subject: string, fields: Record<string, z.ZodType> = {}) {
  const description = `name of a ${subject}, or path of a file that exports one`
  const use = z.string().min(1).describe(description)
  return z.union([z.string().min(1), z.looseObject({ use, ...fields })]).meta({ id, description })
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

/** A prompt that replaces a built-in one. */
export const promptMessages = z
  .array(
    z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
    'must be a list of messages, each with role and content',
  )
  .min(1)

const prompt = z.union([z.string().min(1), promptMessages])

const prompts = z.union([z.string().min(1), z.record(z.string().min(1), prompt)])

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

const varySchema = z
  .record(
    z
      .string()
      .regex(
        new RegExp(`^(.+\\.[^.]+|${variableKeys.join('|')})$`, 's'),
        'must be method.option, as in gem-rag.components, or a key of the config, as in chunks.size',
      ),
    z.array(z.unknown()).min(1),
  )
  .describe(
    'what to vary, each with a list of values. method.option or label.option: combinations become variants of that method; a key of the config, such as chunks.size or models.complete.model: combinations become runs, all in one table (design says which combinations)',
  )

/** Which combinations of varied values are run. */
export const designs = ['all', 'one-at-a-time'] as const

export type Design = (typeof designs)[number]

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
      'answers that the prompt asks for. short: a span, yes, no or "unanswerable"; span: short without "unanswerable"; sentence: one sentence; reasoned: thoughts, then a span after "Answer:"; by-reference: short where the shortest reference has up to six words, else sentence; span-by-reference: the same with span; none: retrieval alone is scored. span replaces short where every question has an answer. Default: that of the dataset, none where no named scorer reads an answer',
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
      'which combinations of the values in vary are run. all: every one; one-at-a-time: the first value of everything, and each other value with all else at the first; default: all',
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
  const datasets = await registries.datasets.all()
  const providers = await registries.models.all()
  const modelsFor = (ability: 'complete' | 'embed' | 'rerank') => providers.filter(({ can }) => can.includes(ability))
  return {
    ...jsonSchemaOf(configSchema),
    title: 'gembench experiment',
    $defs: {
      Dataset: entrySchema(dataset, datasets, shortForms(datasets)),
      Method: entrySchema(methodEntry, await registries.methods.all()),
      Scorer: entrySchema(scorerEntry, await registries.scorers.all()),
      CompleteModel: entrySchema(completes, modelsFor('complete')),
      EmbedModel: entrySchema(embeds, modelsFor('embed')),
      RerankModel: entrySchema(reranks, modelsFor('rerank')),
    },
  }
}

/** The short form of the dataset `files`: its options beside `documents`. */
const shortForms = (datasets: readonly PlugInSpec[]): readonly z.ZodType[] =>
  datasets
    .filter(({ name }) => name === 'files')
    .map(({ options }) =>
      z.strictObject({
        documents: z
          .string()
          .min(1)
          .describe('folder of your documents, relative to the config file; folders in it are read too'),
        ...fieldsOf(options),
        ...datasetSection.pick({ limit: true, onBadRecord: true }).shape,
      }),
    )

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

/** The JSON schema of a value as it is written, without the bounds of safe integers, which do not help in an editor. */
const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
