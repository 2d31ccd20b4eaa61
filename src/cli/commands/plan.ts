import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { counted, inDollars } from '../../report/render/amounts.ts'
import { plural } from '../../report/render/plural.ts'
import { tableOf, type UsageCell } from '../../report/table/table.ts'
import { expectedRun, prepare } from '../../run/index.ts'
import type { Estimate } from '../../types.ts'
import { openRun } from '../open-run.ts'
import { planOf, settingsOf } from '../plan.ts'
import { planLines, type Costs, type PlanLines } from '../plan-lines.ts'
import { print, printJson } from '../print.ts'
import { duration } from '../duration.ts'
import { plain, terminalGrid } from '../terminal-grid.ts'
import type { RunFlags } from './run.ts'

/** `gembench plan`: what a run is expected to cost, without a call and without results. */
export async function planCommand(flags: RunFlags): Promise<void> {
  const plan = await planOf(flags)
  const settings = settingsOf({ ...flags, cache: false }, new AbortController().signal)
  const prepared = await prepare(plan, settings)
  const { hash, survey, methods, models } = prepared
  const described = models.describe()
  const expected = await expectedRun(prepared).finally(() => prepared.close())
  const earlier = await timedCalls(join(settings.results, `${plan.name}-${hash}`))
  const lines = planLines(expected, described, earlier)
  const trials = survey.questions * methods.length * plan.repeats
  if (flags.json) printJson({ name: plan.name, hash, trials, ...lines })
  else report(`${plan.name}-${hash}: ${plural(trials, 'trial')}`, lines)
}

/** What an earlier run of the same setting spent; nothing where there is none. */
async function timedCalls(folder: string): Promise<readonly UsageCell[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return []
  const results = await openRun(folder, '')
  return (await tableOf(results.manifest, results)).usage
}

function report(title: string, { rows, together }: PlanLines): void {
  const priced = together.some(({ usd }) => usd)
  const shown = [
    ...rows.map((line) => ({ ...line, name: line.variant === '' ? line.method : `${line.method} (${line.variant})` })),
    ...together.map((line) => ({ ...line, name: 'all rows together' })),
  ].filter(({ calls }) => calls === null || calls.high > 0)
  print(`${pc.bold(plain(title))}\n`)
  print(
    terminalGrid({
      labels: 2,
      head: ['method', 'phase', 'calls', 'prompt', 'completion', 'embedded', ...(priced ? ['usd'] : []), 'time'],
      rows: shown.map((line) => [
        { text: line.name },
        { text: line.phase },
        ...cellsOf(line, priced).map((text) => ({ text })),
      ]),
    }),
  )
  print('')
  for (const note of notesOf(rows, together)) print(pc.dim(plain(note)))
}

function cellsOf({ calls, promptTokens, completionTokens, embeddedTokens, usd, seconds }: Costs, priced: boolean) {
  return [
    ...[calls, promptTokens, completionTokens, embeddedTokens].map((count) => range(count, counted)),
    ...(priced ? [range(usd, inDollars)] : []),
    range(seconds, duration),
  ]
}

/** `258 (250–274)`; the number alone where it is known. */
function range(estimate: Estimate | null | undefined, shown: (value: number) => string): string {
  if (!estimate) return 'not known'
  const [low, expected, high] = [estimate.low, estimate.expected, estimate.high].map(shown)
  return low === high ? `${expected}` : `${expected} (${low}–${high})`
}

function notesOf(rows: PlanLines['rows'], together: PlanLines['together']): readonly string[] {
  const unknown = rows.filter(({ calls }) => calls === null).map(({ method, phase }) => `${method} ${phase}`)
  const timed = together.some(({ phase, seconds }) => phase === 'all' && seconds)
  return [
    'Calls and tokens as the cost table of a run counts them: what is expected, and in brackets the least and the most that can be foreseen. Replies that have to be asked for again are not.',
    'All rows together: calls that rows share are made once. Calls that the cache holds already are counted here and cost nothing.',
    ...(unknown.length > 0 ? [`Not known, and not in the sums: ${unknown.join(', ')}.`] : []),
    timed
      ? 'Time: of the calls one after another, by the calls of the same results folder.'
      : 'Time is not known until calls were timed: gembench run with --limit 3, then this command again.',
  ]
}
