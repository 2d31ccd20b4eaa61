import { deepFreeze } from '../../basics/plain-data.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import { datasetChecksum } from '../../datasets/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Dataset, Method, Budget, Requirements } from '../../types.ts'
import type { PlugInObjects } from '../plug-ins/extract-objects.ts'
import { findPlugIn } from '../plug-ins/registries.ts'
import { optionsByContent, plugInId } from './identity.ts'
import type { DatasetStatistics } from './dataset-statistics.ts'
import type { MethodRecord, Row } from '../../records.ts'

/** A method of the plan: its row in the tables, identity and options, and its record in the manifest. */
export interface MethodEntry extends CallableMethod {
  readonly row: Row
  readonly id: string
  /** Its own budget; the default is that of the run. */
  readonly budget?: Budget
  /** What it and those that it asks need of the models. */
  readonly requires: readonly Requirements[]
  readonly record: MethodRecord
}

/** A method as it is called, with those that it asks. */
export interface CallableMethod {
  readonly method: Method
  readonly options: unknown
  /** The absolute path of a plug-in's file. */
  readonly file?: string
  /** Set for a plug-in of a file or of the program, whose calls are guarded. */
  readonly isExternal?: true
  /** Identity of the shareable part of its index, if any. */
  readonly part?: string
  readonly of?: readonly CallableMethod[]
  /** The shared part of its index, once it is made. */
  readonly sharedPart?: unknown
}

/** A method and all that it asks, itself or through others. */
export const withSubmethods = <E extends CallableMethod>(entry: E): readonly (E | CallableMethod)[] => [
  entry,
  ...(entry.of ?? []).flatMap(withSubmethods),
]

/** Rows that differ only in their labels share their lines. */
export const distinctEntries = (methods: readonly MethodEntry[]): readonly MethodEntry[] =>
  methods.filter(({ id }, index) => methods.findIndex((entry) => entry.id === id) === index)

/** The methods of a plan with their identities. Throws UserError for one that needs what the dataset does not have. */
export function methodEntriesOf(
  plan: Plan,
  dataset: Pick<Dataset, 'name' | 'evidence'>,
  { questions, withoutEvidence }: Pick<DatasetStatistics, 'questions' | 'withoutEvidence'>,
  objects?: PlugInObjects,
): Promise<readonly MethodEntry[]> {
  const selection = plan.methods.filter(({ label }) => plan.selectedLabels?.includes(label) ?? true)
  const hasEvidence = dataset.evidence !== false && (questions === 0 || withoutEvidence < questions)
  return Promise.all(
    selection.map(async (methodPlan): Promise<MethodEntry> => {
      const { label, variant, variedValues: varied, use, file, object, budget } = methodPlan
      const entry = await callableMethodOf(methodPlan, objects)
      const { method, options } = entry
      if (method.sees === 'evidence' && !hasEvidence)
        throw new UserError(
          `the method "${label}" needs evidence, and no question of the dataset "${dataset.name}" names any: leave the method out, or give evidence`,
        )
      const { content, source } = await identityOf(entry, label)
      const needs = await Promise.all(
        withSubmethods(entry).map(async (part) => (part.file ? undefined : part.method.requires?.(part.options))),
      )
      const requires = needs.filter((requirement) => requirement !== undefined)
      const id = await plugInId([method.name, content, ...source, ...(budget ? [{ budget }] : [])], file)
      const record: MethodRecord = {
        method: label,
        variant,
        id,
        use: object ?? use,
        options: methodPlan.record,
        ...(budget && { budget }),
        ...(varied.length > 0 && { varied }),
        ...(method.context && { context: method.context }),
        ...(method.answers?.(options) && { answers: 'own' }),
        ...((method.ranks === false || requires.some(({ ranks }) => ranks === false)) && { ranks: false }),
      }
      const row = { method: label, variant }
      return { ...(await withParts(entry, label)), row, id, ...(budget && { budget }), requires, record }
    }),
  )
}

/** A method as a plan names it, with those that it asks. Throws UserError for one of these that has no ranking. */
export async function callableMethodOf(methodPlan: PlannedPlugIn, objects?: PlugInObjects): Promise<SubmethodPlan> {
  const { use, options, file, object, of = [] } = methodPlan
  const { item: method, digest } = await findPlugIn('method', methodPlan, objects)
  const submethods = await Promise.all(
    of.map(async (submethod) => {
      const submethodEntry = await callableMethodOf(submethod, objects)
      refuseWithoutRanking(submethodEntry, submethod, use)
      return submethodEntry
    }),
  )
  return {
    method: method.over ? { ...method, ...method.over(submethods) } : method,
    options: deepFreeze(options),
    ...(file !== undefined && { file }),
    ...((file !== undefined || object !== undefined) && { isExternal: true }),
    ...(digest !== undefined && { digest }),
    ...(submethods.length > 0 && { of: submethods }),
  }
}

/** `digest`: of an object of the program. */
interface SubmethodPlan extends CallableMethod {
  readonly digest?: string
  readonly of?: readonly SubmethodPlan[]
}

/** Adds the identity of the shareable part to a method and to those that it queries: they share it with other rows. */
async function withParts(entry: SubmethodPlan, label: string): Promise<SubmethodPlan> {
  const { identity, source } = await identityOf(entry, label)
  const { prepares } = entry.method
  const of = entry.of && (await Promise.all(entry.of.map((submethod) => withParts(submethod, label))))
  const partNames = prepares && [prepares.name, pick(identity, prepares.options), ...source]
  return { ...entry, ...(of && { of }), ...(partNames && { part: await plugInId(partNames, entry.file) }) }
}

function refuseWithoutRanking(
  { method, options }: CallableMethod,
  { use, at }: { readonly use: string; readonly at: string },
  asking: string,
): void {
  const isReference = method.context !== undefined || method.ranks === false || method.sees === 'evidence'
  if (isReference || method.answers?.(options))
    throw new UserError(
      `${at}: "${use}" ${isReference ? 'is a row for orientation' : 'answers questions itself with these options'}: it has no ranking that ${asking} could ask for`,
    )
}

/** The identity of a row: its options by content, the files of its programs, and the digest of an object. */
async function identityOf({ method, options, digest, of }: SubmethodPlan, label: string) {
  const submethods = of && (await Promise.all(of.map((submethod) => submethodIdentity(submethod, label))))
  const identity = Object(method.identity?.(options) ?? options) as { readonly of?: unknown }
  const ofSubmethods = submethods && { of: Array.isArray(identity.of) ? submethods : submethods[0] }
  const contentIdentity = await optionsByContent(method, { ...identity, ...ofSubmethods })
  const files = await programOf(method, options, label)
  const content = files.length === 0 ? contentIdentity : [contentIdentity, await datasetChecksum(files)]
  const { version } = method
  return { identity: contentIdentity, content, source: [digest ?? version].filter((part) => part !== undefined) }
}

/** The identity of a submethod: its name alone where everything else is default. */
async function submethodIdentity(submethod: SubmethodPlan, label: string): Promise<unknown> {
  const { name } = submethod.method
  const { identity, content, source } = await identityOf(submethod, label)
  const isPlain = content === identity && source.length === 0 && submethod.file === undefined
  const file = submethod.file === undefined ? [] : [await plugInId([], submethod.file)]
  const fields: object = Object(identity) as object
  if (isPlain) return Object.keys(fields).length === 0 ? name : { use: name, ...fields }
  return { use: name, is: [content, ...source, ...file] }
}

/** The files of the program that a method runs. Throws UserError where it cannot be run. */
async function programOf(method: Method, options: unknown, label: string): Promise<readonly string[]> {
  try {
    return (await method.program?.(options)) ?? []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(`the method "${label}" cannot be run: ${messageOf(error)}`, { cause: error })
  }
}

/** Some of the options, in the order of their names. */
const pick = (options: unknown, names: readonly string[]): unknown =>
  [...names].sort().map((name) => [name, (options as Readonly<Record<string, unknown>>)[name] ?? null])
