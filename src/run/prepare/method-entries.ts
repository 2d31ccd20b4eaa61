import { deepFreeze } from '../../basics/plain-data.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import { datasetChecksum } from '../../datasets/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Dataset, Method, Budget, Requirements } from '../../types.ts'
import type { PlugInObjects } from '../plug-ins/extract-objects.ts'
import { findPlugIn } from '../plug-ins/registries.ts'
import { optionsByContent, plugInId, type Fields } from './identity.ts'
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

/** The methods of a plan with their identities. Throws UserError where the dataset lacks what one needs. */
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
      const { content, source, ...entry } = await callableMethodOf(methodPlan, label, objects)
      const { method, options } = entry
      if (method.sees === 'evidence' && !hasEvidence)
        throw new UserError(
          `the method "${label}" needs evidence, and no question of the dataset "${dataset.name}" names any: leave it out`,
        )
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
      return { ...entry, row: { method: label, variant }, id, ...(budget && { budget }), requires, record }
    }),
  )
}

/** `content`: its options by content, with the files of its program; `source`: its version or digest. */
interface IdentifiedMethod extends CallableMethod {
  readonly content: unknown
  readonly source: readonly unknown[]
}

/**
 * A method as a plan names it, with those that it asks and the identity of what it shares with other rows. Throws
 * UserError for a program that cannot be run, and for a method without a ranking that another one asks.
 */
async function callableMethodOf(
  methodPlan: PlannedPlugIn,
  label: string,
  objects?: PlugInObjects,
): Promise<IdentifiedMethod> {
  const { use, options, file, object, of = [] } = methodPlan
  const { item, digest } = await findPlugIn('method', methodPlan, objects)
  const submethods = await Promise.all(
    of.map(async (submethodPlan) => {
      const submethod = await callableMethodOf(submethodPlan, label, objects)
      refuseWithoutRanking(submethod, submethodPlan, use)
      return submethod
    }),
  )
  const method = item.over ? { ...item, ...item.over(submethods) } : item
  const identity = Object(method.identity?.(options) ?? options) as { readonly of?: unknown }
  const names = await Promise.all(submethods.map(submethodIdentity))
  const ofSubmethods = names.length > 0 && { of: Array.isArray(identity.of) ? names : names[0] }
  const byContent = await optionsByContent(method, { ...identity, ...ofSubmethods })
  const files = await programOf(method, options, label)
  const source = [digest ?? method.version].filter((part) => part !== undefined)
  const { prepares } = method
  const partNames = prepares && [prepares.name, pick(byContent, prepares.options), ...source]
  return {
    method,
    options: deepFreeze(options),
    ...(file !== undefined && { file }),
    ...((file !== undefined || object !== undefined) && { isExternal: true }),
    ...(partNames && { part: await plugInId(partNames, file) }),
    ...(submethods.length > 0 && { of: submethods }),
    content: files.length === 0 ? byContent : [byContent, await datasetChecksum(files)],
    source,
  }
}

function refuseWithoutRanking(
  { method, options }: CallableMethod,
  { use, at }: { readonly use: string; readonly at: string },
  asking: string,
): void {
  const isReference = method.context !== undefined || method.ranks === false || method.sees === 'evidence'
  if (!isReference && !method.answers?.(options)) return
  const reason = isReference ? 'is a row for orientation' : 'answers questions itself with these options'
  throw new UserError(`${at}: "${use}" ${reason}: it has no ranking that ${asking} could ask for`)
}

/** The identity of a submethod: its name alone where everything else is default. */
async function submethodIdentity({ method: { name }, content, source, file }: IdentifiedMethod) {
  const files = file === undefined ? [] : [await plugInId([], file)]
  // the options of a program are in a list with its files
  if (Array.isArray(content) || source.length + files.length > 0)
    return { use: name, is: [content, ...source, ...files] }
  const fields = Object(content) as object
  return Object.keys(fields).length === 0 ? name : { use: name, ...fields }
}

/** The files of the program that a method runs. Throws UserError where it cannot be run. */
async function programOf(method: Method, options: unknown, label: string) {
  try {
    return (await method.program?.(options)) ?? []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(`the method "${label}" cannot be run: ${messageOf(error)}`, { cause: error })
  }
}

/** Some of the options, in the order of their names. */
const pick = (options: unknown, names: readonly string[]): unknown =>
  [...names].sort().map((name) => [name, (options as Fields)[name] ?? null])
