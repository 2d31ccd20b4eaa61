import { z, type ZodType } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { once } from '../basics/memoise.ts'
import { messageOf } from '../errors.ts'
import { callPlugIn } from '../run/calls/call-plug-in.ts'
import { plainError } from '../run/calls/plain-error.ts'
import { plugInFaults, type PlugInKind } from '../run/plug-ins/check-plug-in.ts'
import { describe } from '../text/validation-errors.ts'
import type { AnyTask } from '../types.ts'

/** A violation in one line, with what to do. `where`: one place of several that may violate a rule alike. */
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
  given: unknown,
  rules: readonly Rule<S>[],
  observe: (options: unknown) => S | Promise<S>,
): Promise<readonly string[]> {
  const label = `${kind} "${item.name}"`
  const lines = await findingsOf<Subject>(label, [fieldRule(kind), optionRule], () => ({ item, given }))
  const parsed = item.options?.safeParse?.(given)
  const needed = { method: ['index'], scorer: ['kinds', 'score'], dataset: ['files', 'corpora'] }[kind]
  if (!parsed?.success || needed.some((field) => Reflect.get(item, field) === undefined)) return lines
  return [
    ...lines,
    ...(await findingsOf(
      label,
      rules,
      once(() => observe(parsed.data)),
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
    lines.push(...linesOf(violations).map((line) => messageOf(`${label}: ${line} (see ${source})`)))
  }
  return lines
}

/** Problems in several places that differ only in names and numbers are one line with the first of these places. */
function linesOf(findings: readonly Finding[]): readonly string[] {
  const alike = ({ problem, where }: Finding): string =>
    where === undefined ? problem : problem.replaceAll(/"[^"]*"|-?\d+(\.\d+)?/g, '')
  return [...groupBy(findings, alike).values()].map(([{ problem, where }, ...more]) => {
    const others = more.length === 0 ? '' : `, and ${more.length} more`
    return where === undefined ? problem : `${problem} (${where}${others})`
  })
}

/** The finding that a function threw. */
export const failure = (name: string, error: unknown, where?: string): Finding => ({
  problem: `${name} failed: ${messageOf(plainError(error, name))}`,
  where,
})

/** Whether a value can be written as JSON and read back the same. */
export const isJson = (value: unknown): boolean => z.json().safeParse(value).success

/** A plug-in, perhaps without a schema of options, and the options that it is checked with as a config has them. */
interface Subject {
  readonly item: { readonly options?: Partial<Pick<ZodType, 'safeParse'>> }
  readonly given: unknown
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
  *run({ item, given }) {
    for (const issue of optionIssues(item, {}))
      yield { problem: `without options: ${issue}; give it a default, such as z.int().default(3)` }
    if (item.options?.safeParse?.({ 'no such option': 1 }).success)
      yield { problem: 'accepts the unknown option "no such option", so a misspelt one is ignored; use z.strictObject' }
    if (JSON.stringify(given) === '{}') return
    for (const issue of optionIssues(item, given))
      yield { problem: `with the options ${JSON.stringify(given)}: ${issue}` }
  },
}

const optionIssues = ({ options }: Subject['item'], given: unknown): readonly string[] =>
  (options?.safeParse?.(given).error?.issues ?? []).map(({ path, message }) =>
    [...path.map(String), message].join(': '),
  )

/** The rule for the tasks of methods and scorers. */
export const taskRule: Rule<{ readonly tasks: ReadonlySet<string>; readonly declared: readonly AnyTask[] }> = {
  source: 'Method.tasks, Scorer.tasks',
  *run({ tasks, declared }) {
    for (const name of tasks)
      if (!declared.some((task) => task.name === name))
        yield { problem: `ran the task "${name}", which its "tasks" do not name; add it there` }
  },
}
