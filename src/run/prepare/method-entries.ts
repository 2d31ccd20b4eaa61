import { deepFreeze } from '../../basics/plain-data.ts'
import { itemOf } from '../../basics/loading.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import { datasetChecksum } from '../../datasets/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import { methods } from '../../methods/index.ts'
import type { Dataset, Method, Budget, Requirements } from '../../types.ts'
import { objectOf, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { loadPlugIn } from '../plug-ins/import-plug-in.ts'
import { optionsByContent, plugInId } from './identity.ts'
import type { DatasetStatistics } from './dataset-statistics.ts'
import type { Row, VariedValue } from '../../records.ts'

/** A method of the plan: its row in the tables, identity and options. */
export interface MethodEntry {
  readonly row: Row
  readonly varied: readonly VariedValue[]
  readonly id: string
  /** Identity of the shareable part of its index, if any. */
  readonly part?: string
  readonly use: string
  /** The absolute path of a plug-in's file; absent for a built-in method. */
  readonly file?: string
  /** Of an object of the program: it is called as one in a file. */
  readonly isExternal?: true
  readonly method: Method
  readonly options: unknown
  readonly of?: readonly CallableMethod[]
  /** Its own budget; the default is that of the run. */
  readonly budget?: Budget
  /** What it and those that it asks need of the models. */
  readonly requires: readonly Requirements[]
  /** The options as they may be written to disk. */
  readonly record: unknown
}

/** A method as it is called, with those that it asks. */
export type CallableMethod = Pick<MethodEntry, 'method' | 'options' | 'file' | 'isExternal' | 'part' | 'of'> & {
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
  const selection = plan.methods.filter(
    ({ label }) => plan.selectedLabels === null || plan.selectedLabels.includes(label),
  )
  return Promise.all(
    selection.map(async (methodPlan) => {
      const { label, variant, variedValues: variedOptions, use, file, object: name, record, budget } = methodPlan
      const entry = await callableMethodOf(methodPlan, objects)
      const { method } = entry
      if (method.sees === 'evidence' && !dataset.evidence) {
        throw new UserError(
          `the method "${label}" needs the evidence of each question, and the dataset "${dataset.name}" has none: leave it out`,
        )
      }
      if (method.sees === 'evidence' && questions > 0 && withoutEvidence === questions) {
        throw new UserError(
          `the method "${label}" needs evidence, and no question of the dataset "${dataset.name}" names any: leave the method out, or give evidence`,
        )
      }
      const { content, source } = await identityOf(entry, label)
      const requires = await Promise.all(
        withSubmethods(entry).map(async ({ file, method, options }) => (file ? undefined : method.requires?.(options))),
      )
      return {
        ...(await withParts(entry, label)),
        row: { method: label, variant },
        varied: variedOptions,
        id: await plugInId([method.name, content, ...source, ...(budget ? [{ budget }] : [])], file),
        use: name ?? use,
        ...(budget && { budget }),
        requires: requires.filter((requirement) => requirement !== undefined),
        record,
      }
    }),
  )
}

/** A method as a plan names it, with those that it asks. Throws UserError for one of these that has no ranking. */
export async function callableMethodOf(
  { use, options, file, object: name, of = [] }: PlannedPlugIn,
  objects?: PlugInObjects,
): Promise<SubmethodPlan> {
  const object = name === undefined ? undefined : objectOf(objects?.methods, name)
  const method = object?.item ?? (file === undefined ? await itemOf(methods, use) : await loadPlugIn('method', file))
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
    ...(object && { isExternal: true as const, digest: object.digest }),
    ...(submethods.length > 0 && { of: submethods }),
  }
}

/** `digest`: of an object of the program. */
type SubmethodPlan = Omit<CallableMethod, 'of'> & { readonly digest?: string; readonly of?: readonly SubmethodPlan[] }

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
  if (method.context !== undefined || method.ranks === false || method.sees === 'evidence')
    throw new UserError(`${at}: "${use}" is a row for orientation, which does not search: ${asking} cannot ask it`)
  if (method.answers?.(options))
    throw new UserError(
      `${at}: "${use}" answers questions itself with these options: it has no ranking that ${asking} could ask for`,
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
