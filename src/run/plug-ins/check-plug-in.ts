import { z } from 'zod'
import { rangeOf, showsNoFraction } from '../../basics/metrics.ts'
import { scorerRecord } from '../../records/entries.ts'
import { kind } from '../../records/question.ts'
import { answerRequests } from '../../types.ts'
import { UserError } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import { validationErrors } from '../../text/validation-errors.ts'

export type PlugInKind = 'method' | 'scorer' | 'dataset' | 'provider'

const words = z.string().regex(/\S/)
const callable = z.custom((value) => typeof value === 'function', 'must be a function')
/** Of any copy of zod 4: a plug-in's file may import its own. */
const definitionOf = (value: unknown): { readonly type?: unknown; readonly in?: unknown } | undefined =>
  (value as { readonly _zod?: { readonly def?: { readonly type?: unknown } } } | null | undefined)?._zod?.def
const typeOfSchema = (value: unknown): unknown => definitionOf(value)?.type
/** What a transform makes of an object starts with the object. */
function isObjectSchema(value: unknown): boolean {
  const type = typeOfSchema(value)
  return type === 'pipe' ? isObjectSchema(definitionOf(value)?.in) : type === 'object'
}
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
    kinds: z.array(kind).min(1),
    judge: z.boolean().optional(),
    onRequest: z.union([z.boolean(), z.array(kind)]).optional(),
    tasks: z.array(task).optional(),
    ranges: z.record(z.string(), range).optional(),
    // columns may depend on the options, and are known only with them
    needs: callable.optional(),
    readsAnswer: z.literal(false).optional(),
    rates: words.optional(),
    note: callable.optional(),
    forLanguage: callable.optional(),
    columns: z.preprocess((columns) => (typeof columns === 'function' ? [] : columns), scorerRecord.shape.columns),
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

const shapes: Readonly<Record<PlugInKind, z.ZodObject>> = { method, scorer, dataset, provider }

/** What to give for a field, of whichever kind. */
const advice: Readonly<Record<string, string>> = {
  name: "give the name it has in tables, such as name: 'mine'",
  summary: 'give one sentence on what it does',
  options: "give a zod object, such as options: z.strictObject({}) with z from 'gembench'",
  version: 'give a whole number, another one whenever its results change',
  'tasks.reply': "give 'text' or 'json'",
  'tasks.prompt': 'give prompt(input), which returns { messages }',
  context: "give 'none', 'unlimited' or 'evidence', or leave it out",
  index: 'give async index(chunks, models, options), which returns { retrieve }',
  source: 'give where it was published',
  kinds: `give the kinds of question it scores, such as kinds: ['answer'] (known: ${kind.options.join(', ')})`,
  ranges: 'give the least and greatest value of a metric, such as ranges: { steps: [0, 20] }',
  columns: "give what a table shows, such as columns: [{ metric: 'f1' }]",
  score: 'give async score(input, models, options), which returns { metrics } or { skipped }',
  licence: 'give its licence in a few words',
  evidence: "give true where its questions name their evidence, 'some' where only some do, otherwise false",
  files: 'give async files(path, options), which returns the paths of its files',
  corpora: 'give async *corpora(path, options), which yields its corpora',
  can: "give what it can do, such as can: ['complete'] (known: complete, embed, embedTokens, rerank)",
  open: 'give async open(options, context), which returns { name, model, parameters, complete, embed or rerank }',
}

/** Throws UserError where a plug-in is not in the shape of its kind: a line a fault. */
export function checkPlugIn(kind: PlugInKind, plugIn: object, file: string): void {
  const faults = plugInFaults(kind, plugIn)
  if (faults.length === 0) return
  const name: unknown = Reflect.get(plugIn, 'name')
  const head = `${file}: ${kind}${typeof name === 'string' ? ` "${name}"` : ''}: `
  throw new UserError(faults.map((fault) => `${head}${fault}`).join('\n'))
}

/** What is not in the shape of its kind. */
export function plugInFaults(kind: PlugInKind, plugIn: object): readonly string[] {
  const schema = shapes[kind]
  const fields = Object.keys(schema.shape)
  const absent = fields.filter((field) => Reflect.get(plugIn, field) === undefined)
  const misspelt = new Map(
    Object.keys(plugIn).flatMap((field) => {
      const suggestion = fields.includes(field) ? undefined : nearest(field, absent)
      return suggestion === undefined ? [] : [[suggestion, field] as const]
    }),
  )
  return [
    ...Array.from(misspelt, ([suggestion, field]) => `unknown field "${field}"; did you mean "${suggestion}"?`),
    ...validationErrors(schema, plugIn, advice)
      .filter(({ path }) => !misspelt.has(String(path[0])))
      .map(({ message }) => message),
  ]
}
