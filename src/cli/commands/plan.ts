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
  const plans = await plansOf(flags)
  const { runs, together } = await costsOfPlans(plans, settings, { cached: flags.cache, askPrograms })
  const [only, ...rest] = runs
  if (flags.json) printJson(only && rest.length === 0 ? only : { runs, together })
  else printCosts({ runs: runs.map((run) => ({ ...run, label: labelOf(run) })), together })
}

const labelOf = ({ name, hash, varied = [] }: PlannedRun): string => variantOf(varied) || `${name}-${hash}`

interface Labelled {
  readonly runs: readonly (PlannedRun & { readonly label: string })[]
  readonly together: PlanLines['together']
}

/** Prints the cost of a run by row, and that of several by run, with notes. */
export function printCosts({ runs, together }: Labelled): void {
  for (const { label, trials, answers } of runs) {
    const rest = answers === 'none' ? ', without answers' : ''
    print(pc.bold(plain(`${label}: ${plural(trials, 'trial')}${rest}`)))
  }
  const rows = runs.flatMap((run) => run.rows)
  const isAlone = runs.length === 1
  const lines = isAlone
    ? rows.map((line) => ({ ...line, name: rowName(line) }))
    : runs.flatMap((run) => run.together.map((line) => ({ ...line, name: run.label })))
  const sums = together.map((line) => ({ ...line, name: `all ${isAlone ? 'rows' : 'runs'} together` }))
  const costs = [...lines, ...sums].filter(({ calls }) => calls !== 0)
  const hasPrices = together.some(({ usd }) => usd !== undefined)
  if (costs.length === 0) {
    print('\nNo model call is needed: the config requests no answers, or every answer is fixed.')
    return
  }
  const columns: readonly (TextColumn<(typeof costs)[number]> | false)[] = [
    { title: isAlone ? 'method' : 'run', cell: ({ name }) => name },
    { title: 'phase', cell: ({ phase }) => phase },
    countColumn('calls', 'calls'),
    countColumn('prompt', 'promptTokens'),
    countColumn('completion', 'completionTokens'),
    countColumn('embedded', 'embeddedTokens'),
    hasPrices && { title: 'usd', cell: ({ usd }) => formatValue(usd, formatDollars) },
  ]
  print(`\n${formatTable(tableOf(costs, columns, 2))}\n`)
  const warnings = new Set(runs.flatMap((run) => run.warnings))
  for (const warning of warnings) print(pc.yellow(plain(`warning: ${warning}`)))
  for (const note of [estimates, sharedInRun]) print(pc.dim(note))
  if (!isAlone) print(pc.dim(sharedByRuns))
  const unknownRows = rows.filter(({ calls }) => calls === null)
  const unknown = [...new Set(unknownRows.map(rowName))].join(', ')
  if (unknown !== '')
    print(pc.dim(plain(`Unknown, not in the sums: ${unknown}. --ask-programs runs programs, servers and plug-ins.`)))
}

const countColumn = (title: string, field: keyof Costs) => ({
  title,
  cell: (line: Costs) => formatValue(line[field], formatCount),
})

const formatValue = (value: number | null | undefined, form: (value: number) => string): string =>
  value === null || value === undefined ? 'unknown' : form(value)

const estimates =
  'Estimates: a dry run with rule-based models on a sample, scaled to all data. Replies have the usual length of their prompts.'
const sharedInRun = 'Sums count calls that rows share once. Cached calls are counted, too, but cost nothing.'
const sharedByRuns =
  'Calls that runs share are counted in each, but for the index of runs that differ only in the budget. A cache makes them once.'
