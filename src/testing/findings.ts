import { z, type ZodType } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { messageOf } from '../errors.ts'
import { callPlugIn } from '../run/calls/call-plug-in.ts'
import { plainError } from '../run/calls/plain-error.ts'
import { plugInFaults, type PlugInKind } from '../run/plug-ins/check-plug-in.ts'
import { describe } from '../text/validation-errors.ts'
import type { AnyTask } from '../types.ts'

/** A violation in one line, with advice. `where`: its place, if it may occur at several. */
export interface Finding {
  readonly problem: string
  readonly where?: string | undefined
}

export type Findings = AsyncGenerator<Finding> | Generator<Finding>

/** A plug-in, perhaps without a schema of options. */
interface PlugIn {
  readonly name: string
  readonly options?: Partial<Pick<ZodType, 'safeParse'>>
}

/** The functions without which a plug-in cannot be called. */
const functions = {
  method: ['index'],
  scorer: ['kinds', 'score'],
  dataset: ['files', 'corpora'],
  provider: ['open'],
} as const satisfies Record<PlugInKind, readonly string[]>

/**
 * A line for every violation: of the fields and options, and of what `check` finds when it calls the plug-in with these
 * options. `check` is left out where functions are missing or the options are not valid.
 */
export async function plugInFindings(
  kind: PlugInKind,
  item: PlugIn,
  optionValues: unknown,
  check: (options: unknown) => Findings,
): Promise<readonly string[]> {
  const findings: Finding[] = [...fieldFindings(kind, item), ...optionFindings(kind, item, optionValues)]
  const options = item.options?.safeParse?.(optionValues)
  if (options?.success && functions[kind].every((name) => Reflect.get(item, name) !== undefined)) {
    const collect = async (): Promise<void> => {
      for await (const finding of check(options.data)) findings.push(finding)
    }
    const call = { doing: 'it', seconds: 600, limit: 'the limit of a check' }
    await callPlugIn(call, collect).catch((error: unknown) => findings.push(failure('a check', error)))
  }
  const label = kind === 'provider' ? 'model' : kind
  return mergeFindings(findings).map((line) => messageOf(`${label} "${item.name}": ${line}`))
}

/** Problems that differ only in names and numbers are one line with their first place. */
function mergeFindings(findings: readonly Finding[]): readonly string[] {
  const keyOf = ({ problem, where }: Finding): string =>
    where === undefined ? problem : problem.replaceAll(/"[^"]*"|-?\d+(\.\d+)?/g, '')
  return [...groupBy(findings, keyOf).values()].map(([{ problem, where }, ...more]) => {
    const remainder = more.length === 0 ? '' : `, and ${more.length} more`
    return where === undefined ? problem : `${problem} (${where}${remainder})`
  })
}

/** The finding for a thrown error. */
export const failure = (name: string, error: unknown, where?: string): Finding => ({
  problem: `${name} failed: ${messageOf(plainError(error, name))}`,
  where,
})

/** Whether a value survives JSON. */
export const isJson = (value: unknown): boolean => z.json().safeParse(value).success

function* fieldFindings(kind: PlugInKind, item: object): Generator<Finding> {
  for (const problem of plugInFaults(kind, item)) yield { problem }
  for (const [field, [pattern, advice]] of Object.entries(fields)) {
    const value: unknown = Reflect.get(item, field)
    if ((typeof value === 'string' || typeof value === 'number') && !pattern.test(`${value}`))
      yield { problem: `the ${field} is ${describe(value)}; give ${advice}` }
  }
}

const fields: Readonly<Record<string, readonly [RegExp, string]>> = {
  name: [/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters, digits and single hyphens, as "my-plug-in"'],
  summary: [/^\S.*\.$/, 'one sentence with a full stop'],
  version: [/^[^-0]/, 'a version from 1, another one whenever results change'],
  source: [/\S/, 'where it was published, or "own"'],
  licence: [/\S/, 'its licence in a few words'],
}

function* optionFindings(kind: PlugInKind, { options }: PlugIn, optionValues: unknown): Generator<Finding> {
  const issuesOf = (values: unknown): readonly string[] =>
    (options?.safeParse?.(values).error?.issues ?? []).map(({ path, message }) => [...path, message].join(': '))
  // the model of a server has no default
  for (const issue of kind === 'provider' ? [] : issuesOf({}))
    yield { problem: `without options: ${issue}; give it a default, such as z.int().default(3)` }
  if (options?.safeParse?.({ 'no such option': 1 }).success)
    yield { problem: 'accepts the unknown option "no such option", so a misspelt one is ignored; use z.strictObject' }
  const json = JSON.stringify(optionValues)
  for (const issue of json === '{}' ? [] : issuesOf(optionValues))
    yield { problem: `with the options ${json}: ${issue}` }
}

/** Tasks that ran and are not declared. */
export function* taskFindings(tasks: ReadonlySet<string>, declaredTasks: readonly AnyTask[]): Generator<Finding> {
  for (const name of tasks)
    if (!declaredTasks.some((task) => task.name === name))
      yield { problem: `ran the task "${name}", which its "tasks" do not name; add it there` }
}
