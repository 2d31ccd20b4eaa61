import { z, type ZodType } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { once } from '../basics/memoise.ts'
import { messageOf } from '../errors.ts'
import { callPlugIn } from '../run/calls/call-plug-in.ts'
import { plainError } from '../run/calls/plain-error.ts'
import { plugInFaults, type PlugInKind } from '../run/plug-ins/check-plug-in.ts'
import { describe } from '../text/validation-errors.ts'
import type { AnyTask } from '../types.ts'

/** A violation in one line, with advice. `where`: its place, if several may violate a rule alike. */
export interface Finding {
  readonly problem: string
  readonly where?: string | undefined
}

/** A rule of a contract. `source`: the type or field that states it; `run` gives every violation. */
export interface Rule<S> {
  readonly source: string
  run(subject: S): Iterable<Finding> | AsyncIterable<Finding>
}

/** A line for every violation of the rules. The functions are called only where there are functions and options. */
export async function plugInFindings<S>(
  kind: 'method' | 'scorer' | 'dataset',
  item: Subject['item'] & { readonly name: string },
  optionValues: unknown,
  rules: readonly Rule<S>[],
  observe: (options: unknown) => S | Promise<S>,
): Promise<readonly string[]> {
  const label = `${kind} "${item.name}"`
  const lines = await findingsOf<Subject>(label, [fieldRule(kind), optionRule], () => ({ item, optionValues }))
  const result = item.options?.safeParse?.(optionValues)
  const requiredFields = { method: ['index'], scorer: ['kinds', 'score'], dataset: ['files', 'corpora'] }[kind]
  if (!result?.success || requiredFields.some((field) => Reflect.get(item, field) === undefined)) return lines
  return [
    ...lines,
    ...(await findingsOf(
      label,
      rules,
      once(() => observe(result.data)),
    )),
  ]
}

/** A line for every violation of the rules; `label` begins every line. */
export async function findingsOf<S>(
  label: string,
  rules: readonly Rule<S>[],
  subject: () => S | Promise<S>,
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { source, run } of rules) {
    const violations: Finding[] = []
    const collect = async (): Promise<void> => {
      for await (const violation of run(await subject())) violations.push(violation)
    }
    const call = { doing: 'it', seconds: 600, limit: 'the limit of a check' }
    await callPlugIn(call, collect).catch((error: unknown) => violations.push(failure('a check', error)))
    lines.push(...mergeFindings(violations).map((line) => messageOf(`${label}: ${line} (see ${source})`)))
  }
  return lines
}

/** Merges problems that differ only in names and numbers into one line with their first place. */
function mergeFindings(findings: readonly Finding[]): readonly string[] {
  const ruleKey = ({ problem, where }: Finding): string =>
    where === undefined ? problem : problem.replaceAll(/"[^"]*"|-?\d+(\.\d+)?/g, '')
  return [...groupBy(findings, ruleKey).values()].map(([{ problem, where }, ...more]) => {
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

/** A plug-in, perhaps without a schema of options, and the options that it is checked with as a config has them. */
interface Subject {
  readonly item: { readonly options?: Partial<Pick<ZodType, 'safeParse'>> }
  readonly optionValues: unknown
}

/** The rule for the fields of a kind of plug-in. */
export const fieldRule = (kind: PlugInKind): Rule<{ readonly item: object }> => ({
  source: { method: 'Method', scorer: 'Scorer', dataset: 'Dataset', provider: 'ProviderKind' }[kind],
  *run({ item }) {
    for (const problem of plugInFaults(kind, item)) yield { problem }
    for (const [field, [pattern, advice]] of Object.entries(fields)) {
      const value: unknown = Reflect.get(item, field)
      if ((typeof value === 'string' || typeof value === 'number') && !pattern.test(`${value}`))
        yield { problem: `the ${field} is ${describe(value)}; give ${advice}` }
    }
  },
})

const fields: Readonly<Record<string, readonly [RegExp, string]>> = {
  name: [/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters, digits and single hyphens, as "my-plug-in"'],
  summary: [/^\S.*\.$/, 'one sentence with a full stop'],
  version: [/^[^-0]/, 'a version from 1, another one whenever results change'],
  source: [/\S/, 'where it was published, or "own"'],
  licence: [/\S/, 'its licence in a few words'],
}

/** The rule for the options of methods, scorers and datasets. */
const optionRule: Rule<Subject> = {
  source: 'PlugInFields.options',
  *run({ item, optionValues }) {
    for (const issue of optionIssues(item, {}))
      yield { problem: `without options: ${issue}; give it a default, such as z.int().default(3)` }
    if (item.options?.safeParse?.({ 'no such option': 1 }).success)
      yield { problem: 'accepts the unknown option "no such option", so a misspelt one is ignored; use z.strictObject' }
    if (JSON.stringify(optionValues) === '{}') return
    for (const issue of optionIssues(item, optionValues))
      yield { problem: `with the options ${JSON.stringify(optionValues)}: ${issue}` }
  },
}

const optionIssues = ({ options }: Subject['item'], optionValues: unknown): readonly string[] =>
  (options?.safeParse?.(optionValues).error?.issues ?? []).map(({ path, message }) =>
    [...path.map(String), message].join(': '),
  )

/** The rule for the tasks of methods and scorers. */
export const taskRule: Rule<{ readonly tasks: ReadonlySet<string>; readonly declaredTasks: readonly AnyTask[] }> = {
  source: 'Method.tasks, Scorer.tasks',
  *run({ tasks, declaredTasks }) {
    for (const name of tasks)
      if (!declaredTasks.some((task) => task.name === name))
        yield { problem: `ran the task "${name}", which its "tasks" do not name; add it there` }
  },
}
