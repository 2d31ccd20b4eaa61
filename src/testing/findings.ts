import { z, type ZodType } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { messageOf } from '../errors.ts'
import { callPlugIn } from '../run/calls/call-plug-in.ts'
import { plainError } from '../run/calls/plug-in-errors.ts'
import { plugInFaults, type PlugInKind } from '../run/plug-ins/check-plug-in.ts'
import { describe } from '../text/validation-errors.ts'
import type { AnyTask } from '../types.ts'

interface Finding {
  readonly problem: string
  readonly where?: string | undefined
}

/** Adds a finding: a violation in one line, with advice, and its place, if it may occur at several. */
export type Report = (problem: string, where?: string) => void

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
  check: (options: unknown, report: Report) => Promise<void>,
): Promise<readonly string[]> {
  const findings: Finding[] = []
  const report: Report = (problem, where) => void findings.push({ problem, where })
  checkFields(kind, item, report)
  checkOptions(kind, item, optionValues, report)
  const options = item.options?.safeParse?.(optionValues)
  if (options?.success && functions[kind].every((name) => Reflect.get(item, name) !== undefined)) {
    const call = { doing: 'it', seconds: 600, limit: 'the limit of a check' }
    await callPlugIn(call, () => check(options.data, report)).catch((error: unknown) =>
      report(...failure('a check', error)),
    )
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
export const failure = (name: string, error: unknown, where?: string): Parameters<Report> => [
  `${name} failed: ${messageOf(plainError(error, name))}`,
  where,
]

/** Whether a value survives JSON. */
export const isJson = (value: unknown): boolean => z.json().safeParse(value).success

function checkFields(kind: PlugInKind, item: object, report: Report): void {
  for (const problem of plugInFaults(kind, item)) report(problem)
  for (const [field, [pattern, advice]] of Object.entries(fields)) {
    const value: unknown = Reflect.get(item, field)
    if ((typeof value === 'string' || typeof value === 'number') && !pattern.test(`${value}`))
      report(`the ${field} is ${describe(value)}; give ${advice}`)
  }
}

const fields: Readonly<Record<string, readonly [RegExp, string]>> = {
  name: [/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters, digits and single hyphens, as "my-plug-in"'],
  summary: [/^\S.*\.$/, 'one sentence with a full stop'],
  version: [/^[^-0]/, 'a version from 1, another one whenever results change'],
  source: [/\S/, 'where it was published, or "own"'],
  licence: [/\S/, 'its licence in a few words'],
}

function checkOptions(kind: PlugInKind, { options }: PlugIn, optionValues: unknown, report: Report): void {
  const issuesOf = (values: unknown): readonly string[] => {
    const { issues = [] } = options?.safeParse?.(values).error ?? {}
    return issues.map(({ path, message }) => [...path, message].join(': '))
  }
  // the model of a server has no default
  for (const issue of kind === 'provider' ? [] : issuesOf({}))
    report(`without options: ${issue}; give it a default, such as z.int().default(3)`)
  if (options?.safeParse?.({ 'no such option': 1 }).success)
    report('accepts the unknown option "no such option", so a misspelt one is ignored; use z.strictObject')
  const json = JSON.stringify(optionValues)
  for (const issue of json === '{}' ? [] : issuesOf(optionValues)) report(`with the options ${json}: ${issue}`)
}

/** Reports tasks that ran and are not declared. */
export function checkTasks(tasks: ReadonlySet<string>, declaredTasks: readonly AnyTask[], report: Report): void {
  for (const name of tasks)
    if (!declaredTasks.some((task) => task.name === name))
      report(`ran the task "${name}", which its "tasks" do not name; add it there`)
}
