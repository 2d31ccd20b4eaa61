import type { Command } from 'commander'
import { examples, withPlan } from '../flags.ts'
import { costsOfPlans, type PlannedRun } from '../../library/plan.ts'
import type { Costs, PlanLines } from '../../library/plan-lines.ts'
import pc from 'picocolors'
import { rowName, variantOf } from '../../text/names.ts'
import { formatCount, formatDollars, plural } from '../../text/amounts.ts'
import { plansOf, settingsOf } from '../plan.ts'
import { print, printJson } from '../terminal/print.ts'
import { formatDuration } from '../terminal/progress-bars.ts'
import { plain } from '../../text/characters.ts'
import { formatTable } from '../terminal/format-table.ts'
import type { RunFlags } from './run.ts'

interface PlanCommandFlags extends RunFlags {
  readonly askPrograms: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(command)
    .option(
      '--ask-programs',
      'also run programs, servers and plug-ins of rows, whose usage is otherwise unknown',
      false,
    )
    .option('--results <folder>', 'folder that holds the results folders; its timed calls give the time', 'results')
    .option('--json', 'print JSON only', false)
    .action(planCommand)
    .addHelpText('after', examples('gembench plan -c configs/quickstart.yaml'))

/** `gembench plan`: estimates the cost of one or several runs, without a call. */
async function planCommand({ askPrograms, ...flags }: PlanCommandFlags): Promise<void> {
  const settings = settingsOf({ ...flags, cache: false }, new AbortController().signal)
  const { runs, together } = await costsOfPlans(await plansOf(flags), settings, { cached: flags.cache, askPrograms })
  const [only, ...rest] = runs
  if (only && rest.length === 0) {
    if (flags.json) printJson(only)
    else reportPlan(messages.title(only), only, only.warnings)
  } else if (flags.json) printJson({ runs, together })
  else reportRuns(runs, together, flags.cache)
}

/** Prints the cost by row, with notes. */
export function reportPlan(title: string, { rows, together }: PlanLines, warnings: readonly string[] = []): void {
  print(`${pc.bold(plain(title))}\n`)
  const asks = printCosts('method', together, [
    ...rows.map((line) => ({ ...line, name: rowName(line) })),
    ...together.map((line) => ({ ...line, name: 'all rows together' })),
  ])
  if (!asks) return
  for (const warning of warnings) print(pc.yellow(plain(messages.warning(warning))))
  for (const note of notesOf(rows, together)) print(pc.dim(plain(note)))
}

/** Prints the sum of several plans. */
export const reportSum = (together: PlanLines['together']): void =>
  void printCosts(
    'run',
    together,
    together.map((line) => ({ ...line, name: 'all runs together' })),
  )

/** Prints several runs, one line per phase. */
function reportRuns(runs: readonly PlannedRun[], together: PlanLines['together'], cached: boolean): void {
  const trials = runs.reduce((sum, run) => sum + run.trials, 0)
  print(`${pc.bold(plain(messages.runs(runs.length, trials)))}\n`)
  printCosts('run', together, [
    ...runs.flatMap((run) => run.together.map((line) => ({ ...line, name: variantOf(run.varied ?? []) }))),
    ...together.map((line) => ({ ...line, name: 'all runs together' })),
  ])
  for (const run of runs) print(plain(messages.run(run)))
  for (const warning of new Set(runs.flatMap((run) => run.warnings))) print(pc.yellow(plain(messages.warning(warning))))
  const rows = runs.flatMap((run) => run.rows)
  for (const note of [...notesOf(rows, together), ...(cached ? [messages.sharedCalls] : [])]) print(pc.dim(plain(note)))
}

/** Prints the costs; returns false if no call is needed. */
function printCosts(
  heading: string,
  together: PlanLines['together'],
  lines: readonly (Costs & { readonly name: string; readonly phase: string })[],
): boolean {
  const hasPrices = together.some(({ usd }) => usd !== undefined)
  const asking = lines.filter(({ calls }) => calls !== 0)
  if (asking.length === 0) {
    print(messages.noCalls)
    return false
  }
  print(
    formatTable({
      labels: 2,
      head: [heading, 'phase', 'calls', 'prompt', 'completion', 'embedded', ...(hasPrices ? ['usd'] : []), 'time'],
      rows: asking.map((line) => [
        { text: line.name },
        { text: line.phase },
        ...cellsOf(line, hasPrices).map((text) => ({ text })),
      ]),
    }),
  )
  print('')
  return true
}

const cellsOf = (
  { calls, promptTokens, completionTokens, embeddedTokens, usd, seconds }: Costs,
  hasPrices: boolean,
): readonly string[] => [
  ...[calls, promptTokens, completionTokens, embeddedTokens].map((count) => formatValue(count, formatCount)),
  ...(hasPrices ? [formatValue(usd, formatDollars)] : []),
  formatValue(seconds, formatDuration),
]

const formatValue = (value: number | null | undefined, form: (value: number) => string): string =>
  value === null || value === undefined ? 'unknown' : form(value)

function notesOf(rows: PlanLines['rows'], together: PlanLines['together']): readonly string[] {
  const unknown = new Set(rows.filter(({ calls }) => calls === null).map(rowName))
  const hasTimes = together.some(({ phase, seconds }) => phase === 'all' && seconds !== undefined)
  return [
    messages.estimates,
    messages.sums,
    ...(unknown.size > 0 ? [messages.unknown([...unknown])] : []),
    hasTimes ? messages.timed : messages.untimed,
  ]
}

const messages = {
  title: ({ name, varied = [], hash, trials, answers }: PlannedRun) =>
    `${rowName({ method: `${name}-${hash}`, variant: variantOf(varied) })}: ${plural(trials, 'trial')}${answers === 'none' ? ', without answers' : ''}`,
  warning: (text: string) => `warning: ${text}`,
  runs: (runs: number, trials: number) => `${plural(runs, 'run')} in one table: ${plural(trials, 'trial')}`,
  run: ({ name, varied = [], hash, trials }: PlannedRun) =>
    `${variantOf(varied)}: ${name}-${hash}, ${plural(trials, 'trial')}`,
  sharedCalls:
    'Calls that runs share are counted in each, but for the index of runs that differ only in the budget. The cache makes them once.',
  noCalls: 'No model call is needed: the config requests no answers, or every answer is fixed.',
  estimates:
    'Estimates: a dry run with rule-based models on a sample, scaled to all data. Replies have the usual length of their prompts.',
  sums: 'Sums count calls that rows share once. Cached calls are counted, too, but cost nothing.',
  unknown: (rows: readonly string[]) =>
    `Unknown, not in the sums: ${rows.join(', ')}. --ask-programs runs programs, servers and plug-ins.`,
  timed:
    'Time: from the calls in the same results folder, at the concurrency of the config. Computation between calls is not included.',
  untimed: 'Time: unknown until calls are timed. Run gembench run --limit 3, then this command again.',
}
