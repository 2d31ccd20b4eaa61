import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../basics/collections.ts'

/**
 * What a golden run compares of a results folder, read through the documented fields of its files alone: a line per row
 * (trials, failures, a digest of contexts, one of answers), one per mean of its scores, one per phase of its usage.
 */
export async function factsOf(folder: string): Promise<string> {
  const trials = (await lines(folder, 'trials.jsonl')).flatMap((line) =>
    lineForm.parse(line).line === 'trial' ? [trialForm.parse(line)] : [],
  )
  const table = tableForm.parse(JSON.parse(await readFile(join(folder, 'table.json'), 'utf8')))
  const rows = [...new Set(trials.map(rowName))]
  const of = <T extends Row>(row: string, items: readonly T[]): readonly T[] =>
    items.filter((item) => rowName(item) === row)
  return rows
    .flatMap((row) => [
      trialFacts(row, of(row, trials)),
      ...of(row, table.cells)
        .filter(({ subset }) => subset === 'all')
        .map(
          ({ scorer, metric, mean, n, failed }) => `  ${scorer}.${metric}: ${roundMean(mean)} n ${n} failed ${failed}`,
        ),
      `  subsets: ${digest(of(row, table.cells).map(({ mean, ...cell }) => ({ ...cell, mean: roundMean(mean) })))}`,
      ...of(row, table.usage).map(
        ({ phase, calls, promptTokens, completionTokens }) =>
          `  ${phase}: calls ${calls} prompt ${promptTokens} completion ${completionTokens}`,
      ),
    ])
    .join('\n')
    .concat('\n')
}

/** The results folders below a folder, in order of their names; the folder of a series has its table alone. */
export async function runsIn(results: string): Promise<readonly string[]> {
  const files = await readdir(results, { recursive: true })
  return files.flatMap((file) => (basename(file) === 'trials.jsonl' ? [join(results, dirname(file))] : [])).sort()
}

/** The facts of every run below a folder, each behind the values that set it apart. */
export async function factsOfAll(results: string): Promise<string> {
  const runs = await Promise.all((await runsIn(results)).map(factsOf))
  // names of folders hold digests of configs, which change where an option goes: facts order the runs
  return runs.sort().join('\n')
}

const rowForm = { method: z.string(), variant: z.string() }
type Row = Readonly<Record<'method' | 'variant', string>>
const rowName = ({ method, variant }: Row): string => (variant === '' ? method : `${method} [${variant}]`)

const lineForm = z.object({ line: z.string() })
const trialForm = z.object({
  ...rowForm,
  question: z.object({ id: z.string(), text: z.string() }),
  context: z.array(z.object({ tokens: z.number(), from: z.array(z.string()) })).optional(),
  answer: z.object({ text: z.string(), choice: z.number().nullable().optional() }).nullish(),
  failure: z.object({ kind: z.string() }).nullish(),
})
type Trial = z.infer<typeof trialForm>

const tableForm = z.object({
  cells: z.array(
    z.object({
      ...rowForm,
      scorer: z.string(),
      metric: z.string(),
      subset: z.string(),
      mean: z.number().nullable(),
      n: z.number(),
      failed: z.number(),
    }),
  ),
  usage: z.array(
    z.object({
      ...rowForm,
      phase: z.string(),
      calls: z.number(),
      promptTokens: z.number(),
      completionTokens: z.number(),
    }),
  ),
})

async function lines(folder: string, file: string): Promise<readonly unknown[]> {
  const text = await readFile(join(folder, file), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
}

function trialFacts(row: string, trials: readonly Trial[]): string {
  const failures = groupBy(
    trials.flatMap(({ failure }) => (failure ? [failure.kind] : [])),
    (kind) => kind,
  )
  const failed = [...failures].map(([kind, all]) => `${kind} ${all.length}`).sort()
  const contexts = trials.map(({ question, context }) => [
    question.text,
    context?.map(({ from, tokens }) => [from, tokens]),
  ])
  const answers = trials.map(({ question, answer }) => [question.text, answer?.text, answer?.choice])
  const parts = [`trials ${trials.length}`, `failed ${failed.join(', ') || 'none'}`]
  return `${row}: ${parts.join(' ')} contexts ${digest(contexts)} answers ${digest(answers)}`
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

// enough to tell a changed score, few enough that the order of a sum does not matter
const roundMean = (mean: number | null): string => (mean === null ? 'none' : mean.toFixed(9))
