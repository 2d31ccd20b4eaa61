import { z } from 'zod'
import { rangeOf, showsNoFraction } from '../../basics/metrics.ts'
import { answerRequests } from '../../types.ts'
import { UserError } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import { validationErrors } from '../../text/shape-faults.ts'

/** What a plug-in of one kind must look like, and what to give where it does not, in the words of `shapeFaults`. */
interface PlugInShape {
  readonly schema: z.ZodObject
  readonly advice: Readonly<Record<string, string>>
}

export type PlugInKind = 'method' | 'scorer' | 'dataset' | 'provider'

const kinds = ['choice', 'answer', 'summary', 'turn'] as const

const words = z.string().regex(/\S/)
const callable = z.custom((value) => typeof value === 'function', 'must be a function')
/** Of any copy of zod 4: a plug-in's file may import its own. */
const definitionOf = (value: unknown): { readonly type?: unknown; readonly in?: unknown } | undefined =>
  (value as { readonly _zod?: { readonly def?: { readonly type?: unknown } } } | null | undefined)?._zod?.def
const typeOfSchema = (value: unknown): unknown => definitionOf(value)?.type
/** What a transform makes of an object starts with the object. */
const isObjectSchema = (value: unknown): boolean =>
  typeOfSchema(value) === 'object' || (typeOfSchema(value) === 'pipe' && isObjectSchema(definitionOf(value)?.in))
const optionsSchema = z.custom(isObjectSchema, 'must be a zod object')
const anySchema = z.custom((value) => typeof typeOfSchema(value) === 'string', 'must be a zod schema')
const task = z.object({
  name: words,
  version: z.int(),
  reply: z.enum(['text', 'json']),
  whole: z.boolean().optional(),
  capped: z.boolean().optional(),
  prompt: callable,
  output: anySchema,
  offline: callable.optional(),
})

const limit = z.custom<number>((value) => typeof value === 'number' && !Number.isNaN(value), 'must be a number')
const range = z
  .tuple([limit, limit])
  .refine(([least, greatest]) => least < greatest, 'must hold the least value, then the greatest')

const column = z.object({
  metric: words,
  subset: words.optional(),
  label: words.optional(),
  unit: z.enum(['percent', 'number', 'count']).optional(),
  better: z.literal('none').optional(),
  shown: z.literal(false).optional(),
})

const commonFields = {
  name: words,
  summary: z.string(),
  options: optionsSchema,
}

const versionOrNot = z.union([z.string().min(1), z.number()]).optional()

const method = z.object({
  ...commonFields,
  version: versionOrNot,
  paper: z.string().optional(),
  sees: z.literal('evidence').optional(),
  context: z.enum(['none', 'unlimited', 'evidence']).optional(),
  ranks: z.literal(false).optional(),
  prepares: z.object({ name: z.string(), options: z.array(z.string()), make: callable }).optional(),
  // tasks may depend on the options, and are known only with them
  tasks: z.preprocess((tasks) => (typeof tasks === 'function' ? [] : tasks), z.array(task).optional()),
  answers: callable.optional(),
  index: callable,
})

const scorer = z
  .object({
    ...commonFields,
    version: z.int(),
    source: z.string(),
    kinds: z.array(z.enum(kinds)).min(1),
    judge: z.boolean().optional(),
    onRequest: z.union([z.boolean(), z.array(z.enum(kinds))]).optional(),
    tasks: z.array(task).optional(),
    ranges: z.record(z.string(), range).optional(),
    // columns may depend on the options, and are known only with them
    ranks: z.literal(true).optional(),
    needs: callable.optional(),
    readsAnswer: z.literal(false).optional(),
    rates: words.optional(),
    note: callable.optional(),
    forLanguage: callable.optional(),
    columns: z.preprocess((columns) => (typeof columns === 'function' ? [] : columns), z.array(column)),
    score: callable,
  })
  .superRefine(({ columns, ranges = {} }, context) => {
    for (const [index, column] of columns.entries()) {
      if (!showsNoFraction(column, ranges)) continue
      const { metric } = column
      const [least, greatest] = rangeOf(metric, ranges)
      const message = `must say unit: 'number', because "ranges" lets ${metric} lie between ${least} and ${greatest}`
      context.addIssue({ code: 'custom', path: ['columns', index], message })
    }
  })

const dataset = z.object({
  ...commonFields,
  version: versionOrNot,
  source: z.string(),
  licence: z.string(),
  evidence: z.union([z.boolean(), z.literal('some')]),
  withoutAnswers: z.literal(true).optional(),
  answers: z.enum(answerRequests).optional(),
  scorers: z.array(z.object({ use: words, options: z.record(z.string(), z.unknown()) })).optional(),
  right: z.literal('meaning').optional(),
  files: callable,
  names: callable.optional(),
  unused: callable.optional(),
  corpora: callable,
})

const provider = z.object({
  ...commonFields,
  version: versionOrNot,
  can: z.array(z.enum(['complete', 'embed', 'embedTokens', 'rerank'])).min(1),
  offline: z.literal(true).optional(),
  open: callable,
})

const commonAdvice = {
  name: "give the name it has in tables, such as name: 'mine'",
  summary: 'give one sentence on what it does',
  options: "give a zod object, such as options: z.strictObject({}) with z from 'gembench'",
  version: 'give a number or a text, another one whenever its results change',
}

const adviceOnTasks = {
  tasks: 'give the list of tasks that it may run',
  'tasks.name': "give the task's name",
  'tasks.version': "give a whole number, raised whenever the task's replies change",
  'tasks.reply': "give 'text' or 'json'",
  'tasks.whole': 'give true, or leave it out',
  'tasks.capped': 'give true, or leave it out',
  'tasks.prompt': 'give prompt(input), which returns { messages }',
  'tasks.output': 'give the zod schema of the reply',
  'tasks.offline': 'give offline(input), which returns what the task would, or leave it out',
}

/** The shapes, by the kind of plug-in. */
export const plugInShapes: Readonly<Record<PlugInKind, PlugInShape>> = {
  method: {
    schema: method,
    advice: {
      ...commonAdvice,
      ...adviceOnTasks,
      paper: 'give where it was published, or leave it out',
      sees: "give 'evidence', or leave it out",
      context: "give 'none', 'unlimited' or 'evidence', or leave it out",
      answers: 'give answers(options), which returns true or false, or leave it out',
      index: 'give async index(chunks, models, options), which returns { retrieve }',
    },
  },
  scorer: {
    schema: scorer,
    advice: {
      ...commonAdvice,
      ...adviceOnTasks,
      version: 'give a whole number, raised whenever its numbers change',
      source: 'give where the measure was published',
      kinds: `give the kinds of question it scores, such as kinds: ['answer'] (known: ${kinds.join(', ')})`,
      judge: 'give true where it asks a model, or leave it out',
      onRequest: 'give true, or the kinds of question for which it waits to be named, or leave it out',
      ranges: 'give the least and greatest value of a metric, such as ranges: { steps: [0, 20] }',
      ranks: 'give true where its first column ranks the rows, or leave it out',
      needs: 'give needs(options), which returns what it needs of other trials, or leave it out',
      rates: 'give the metric that says how right an answer is, or leave it out',
      note: 'give note(options, models), which returns one sentence or nothing, or leave it out',
      forLanguage: 'give forLanguage(options, language), which returns the options, or leave it out',
      columns: "give what a table shows, such as columns: [{ metric: 'f1' }]",
      'columns.unit': "give 'percent', 'number' or 'count', or leave it out",
      'columns.better': "give 'none' where more of the metric is not better, or leave it out",
      score: 'give async score(input, models, options), which returns { metrics } or { skipped }',
    },
  },
  dataset: {
    schema: dataset,
    advice: {
      ...commonAdvice,
      source: 'give its official address or citation',
      licence: 'give its licence in a few words',
      evidence: "give true where its questions name their evidence, 'some' where only some do, otherwise false",
      withoutAnswers: 'give true where a question may lack a right answer, or leave it out',
      names: 'give names(files, path), which returns names that count in results, or leave it out',
      answers: `give one of ${answerRequests.join(', ')}, or leave it out`,
      right: "give 'meaning', or leave it out",
      files: 'give async files(path, options), which returns the paths of its files',
      unused: 'give unused(files, path, options), which returns names of options, or leave it out',
      corpora: 'give async *corpora(path, options), which yields its corpora',
    },
  },
  provider: {
    schema: provider,
    advice: {
      ...commonAdvice,
      can: "give what it can do, such as can: ['complete'] (known: complete, embed, embedTokens, rerank)",
      offline: 'give true where it is no language model, or leave it out',
      open: 'give async open(options, context), which returns { name, model, parameters, complete, embed or rerank }',
    },
  },
}

/** Faults reported at most. */
const mostFaults = 5

/** Throws UserError where a plug-in is not in the shape of its kind: a line a fault, at most five. */
export function checkPlugIn(kind: PlugInKind, plugIn: object, file: string): void {
  const faults = plugInFaults(kind, plugIn)
  if (faults.length === 0) return
  const name = (plugIn as { readonly name?: unknown }).name
  const head = `${file}: ${kind}${typeof name === 'string' ? ` "${name}"` : ''}: `
  const rest = faults.length > mostFaults ? [`${head}… and ${faults.length - mostFaults} more faults`] : []
  throw new UserError([...faults.slice(0, mostFaults).map((fault) => `${head}${fault}`), ...rest].join('\n'))
}

/** What is not in the shape of its kind. */
export function plugInFaults(kind: PlugInKind, plugIn: object): readonly string[] {
  const { schema, advice } = plugInShapes[kind]
  const misspelt = misspeltFields(plugIn, Object.keys(schema.shape))
  return [
    ...misspelt.map(({ field, suggestion }) => `unknown field "${field}"; did you mean "${suggestion}"?`),
    ...validationErrors(schema, plugIn, advice)
      .filter(({ path }) => !misspelt.some(({ suggestion }) => suggestion === path[0]))
      .map(({ message }) => message),
  ]
}

/** Fields that no plug-in of the kind has, where one of nearly that name is not there. */
function misspeltFields(
  plugIn: object,
  fieldNames: readonly string[],
): readonly { readonly field: string; readonly suggestion: string }[] {
  const absent = fieldNames.filter((field) => (plugIn as Readonly<Record<string, unknown>>)[field] === undefined)
  return Object.keys(plugIn).flatMap((field) => {
    const suggestion = fieldNames.includes(field) ? undefined : nearest(field, absent)
    return suggestion === undefined ? [] : [{ field, suggestion }]
  })
}
