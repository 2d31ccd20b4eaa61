import type { Command } from 'commander'
import { examples, withPlan } from '../flags.ts'
import { costsOfPlans, type PlannedRun } from '../../library/plan.ts'
import type { Costs, PlanLines } from '../../library/plan-lines.ts'
import pc from 'picocolors'
import { rowName, variantOf } from '../../text/names.ts'
import { formatCount, formatDollars, plural } from '../../text/amounts.ts'
import { plansOf, settingsOf } from '../plan.ts'
import { print, printJson } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { tableOf, type TextColumn } from '../../report/render/text-table.ts'
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
    .option('--json', 'print JSON only', false)
    .action(planCommand)
    .addHelpText('after', examples('gembench plan -c configs/quickstart.yaml'))

async function planCommand({ askPrograms, ...flags }: PlanCommandFlags): Promise<void> {
  const settings = settingsOf({ ...flags, cache: false }, new AbortController().signal)
  const { runs, together } = await costsOfPlans(await plansOf(flags), settings, { cached: flags.cache, askPrograms })
  const [only, ...rest] = runs
  if (flags.json) printJson(only && rest.length === 0 ? only : { runs, together })
  else if (only && rest.length === 0) {
    const answers = only.answers === 'none' ? ', without answers' : ''
    reportPlan(`${nameOf(only)}: ${plural(only.trials, 'trial')}${answers}`, only, only.warnings)
  } else printRuns(runs, together, flags.cache)
}

const nameOf = ({ name, hash, varied = [] }: PlannedRun): string =>
  rowName({ method: `${name}-${hash}`, variant: variantOf(varied) })

/** Prints the cost by row, with notes. */
export function reportPlan(title: string, { rows, together }: PlanLines, warnings: readonly string[] = []): void {
  print(`${pc.bold(plain(title))}\n`)
  const lines = rows.map((line) => ({ ...line, name: rowName(line) }))
  if (printCosts('method', lines, together)) printNotes(rows, warnings)
}

/** Prints several runs, one line per phase. */
function printRuns(runs: readonly PlannedRun[], together: PlanLines['together'], cached: boolean): void {
  const trials = runs.reduce((sum, run) => sum + run.trials, 0)
  print(`${pc.bold(`${plural(runs.length, 'run')} in one table: ${plural(trials, 'trial')}`)}\n`)
  const lines = runs.flatMap((run) => {
    const name = variantOf(run.varied ?? [])
    return run.together.map((line) => ({ ...line, name }))
  })
  printCosts('run', lines, together)
  for (const run of runs) print(plain(`${nameOf(run)}: ${plural(run.trials, 'trial')}`))
  const rows = runs.flatMap((run) => run.rows)
  printNotes(rows, [...new Set(runs.flatMap((run) => run.warnings))])
  if (cached) print(pc.dim(sharedCalls))
}

type Lines = readonly (Costs & { readonly name: string; readonly phase: string })[]

export function printCosts(heading: 'method' | 'run', lines: Lines, together: PlanLines['together']): boolean {
  const unit = heading === 'run' ? 'runs' : 'rows'
  const name = `all ${unit} together`
  const sums = together.map((line) => ({ ...line, name }))
  const costs = [...lines, ...sums].filter(({ calls }) => calls !== 0)
  const hasPrices = together.some(({ usd }) => usd !== undefined)
  if (costs.length === 0) print('No model call is needed: the config requests no answers, or every answer is fixed.')
  else {
    const columns: readonly (TextColumn<Lines[number]> | false)[] = [
      { title: heading, cell: ({ name }) => name },
      { title: 'phase', cell: ({ phase }) => phase },
      countColumn('calls', 'calls'),
      countColumn('prompt', 'promptTokens'),
      countColumn('completion', 'completionTokens'),
      countColumn('embedded', 'embeddedTokens'),
      hasPrices && { title: 'usd', cell: ({ usd }) => formatValue(usd, formatDollars) },
    ]
    print(`${formatTable(tableOf(costs, columns, 2))}\n`)
  }
  return costs.length > 0
}

const countColumn = (title: string, field: keyof Costs) => ({
  title,
  cell: (line: Costs) => formatValue(line[field], formatCount),
})

const formatValue = (value: number | null | undefined, form: (value: number) => string): string =>
  value === null || value === undefined ? 'unknown' : form(value)

function printNotes(rows: PlanLines['rows'], warnings: readonly string[]): void {
  for (const warning of warnings) print(pc.yellow(plain(`warning: ${warning}`)))
  const unknownRows = rows.filter(({ calls }) => calls === null)
  const unknown = [...new Set(unknownRows.map(rowName))].join(', ')
  for (const note of [estimates, sums]) print(pc.dim(note))
  if (unknown !== '')
    print(pc.dim(plain(`Unknown, not in the sums: ${unknown}. --ask-programs runs programs, servers and plug-ins.`)))
}

const sharedCalls =
  'Calls that runs share are counted in each, but for the index of runs that differ only in the budget. The cache makes them once.'
const estimates =
  'Estimates: a dry run with rule-based models on a sample, scaled to all data. Replies have the usual length of their prompts.'
const sums = 'Sums count calls that rows share once. Cached calls are counted, too, but cost nothing.'
