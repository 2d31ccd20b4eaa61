import { MultiBar, type SingleBar } from 'cli-progress'
import { addFields } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { formatCount, formatDollars, plural, present } from '../../text/amounts.ts'
import { moneyOf } from '../../report/gather/usage.ts'
import type { CallsSoFar, Progress, Stage } from '../../run/index.ts'
import type { Phase, Usage } from '../../types.ts'
import { plain } from '../../text/characters.ts'
import { printAbove, printNotice } from './print.ts'

const names: Readonly<Record<Stage, string>> = {
  ask: 'asking',
  judge: 'scoring',
  graph: 'building graphs',
  train: 'training',
}

/** State of a stage. `count` of `total` outcomes; `since` in milliseconds; `at`: the current item. */
interface State {
  readonly stage: Stage
  readonly total: number
  readonly since: number
  readonly calls?: (() => CallsSoFar) | undefined
  count: number
  failed: number
  at: string
  bar?: SingleBar | undefined
}

/** Milliseconds between progress lines without a terminal. */
const lineInterval = 30_000

/** Does work with progress as one of its settings, shown until the work ends. */
export async function withProgress<T>(
  isShown: boolean,
  work: (settings: { readonly progress?: Progress }) => Promise<T>,
): Promise<T> {
  if (!isShown) return work({})
  const progress = progressBars()
  return work({ progress }).finally(() => progress.close())
}

/** Shows progress, calls, current item and remaining time on standard error: as bars, without a terminal as lines. */
export function progressBars(): Progress & { close(): void } {
  let models: Manifest['models'] | undefined
  // stages follow each other
  let state: State | undefined
  const lineOf = (state: State) => progressLine(state, performance.now(), models)
  const bars = process.stderr.isTTY ? createBars(lineOf) : undefined
  const timer = bars
    ? undefined
    : setInterval(() => {
        if (state) printNotice(lineOf(state))
      }, lineInterval)
  timer?.unref()
  return {
    start(stage, total, calls) {
      if (total === 0) return
      state = { stage, total, since: performance.now(), calls, count: 0, failed: 0, at: '' }
      state.bar = bars?.create(total, 0, state)
    },
    models: (allModels) => (models = allModels),
    at(_stage, item) {
      if (state) state.at = item
    },
    tick(_stage, failed) {
      if (!state) return
      state.count++
      if (failed) state.failed++
      state.bar?.update(state.count)
    },
    end() {
      if (bars && state?.bar) {
        printNotice(lineOf({ ...state, at: '' }))
        bars.remove(state.bar)
      }
      state = undefined
    },
    close() {
      clearInterval(timer)
      bars?.update()
      bars?.stop()
      printAbove(undefined)
    },
  }
}

const barWidth = 12

function createBars(lineOf: (state: State) => string): MultiBar {
  const bars = new MultiBar({
    stream: process.stderr,
    format: (_options, { progress }, state: State) =>
      `${'█'.repeat(Math.round(barWidth * progress)).padEnd(barWidth, '░')} ${lineOf(state)}`,
    fps: 4,
    hideCursor: true,
    linewrap: false,
    gracefulExit: false,
    clearOnComplete: true,
  })
  printAbove(bars)
  return bars
}

/**
 * `asking: 1 of 36, 1 failed, about 2.0 min left, 340 calls sent, 12 from the cache, 41K tokens, $0.0123; vector`: no
 * money if a model has no price, no remaining time before the first outcome.
 */
function progressLine(
  { stage, count, total, failed, since, at, calls: callsSoFar }: Omit<State, 'bar'>,
  now: number,
  models?: Manifest['models'],
) {
  const { sentUsage = {}, cached = 0 } = callsSoFar?.() ?? {}
  const seconds = ((total - count) * (now - since)) / count / 1000
  const usage = Object.entries(sentUsage) as [Phase, Usage][]
  const sums = addFields(...usage.map(([, phaseUsage]) => ({ ...phaseUsage })))
  const { calls = 0, promptTokens = 0, completionTokens = 0, embeddedTokens = 0 } = sums
  const tokens = promptTokens + completionTokens + embeddedTokens
  const moneyIn = ([phase, phaseUsage]: (typeof usage)[number]) => models && moneyOf(models, phase, phaseUsage)
  const money = usage.reduce((total, entry) => total + (moneyIn(entry) ?? NaN), 0)
  const counts = present(
    `${names[stage]}: ${formatCount(count)} of ${formatCount(total)}`,
    failed > 0 && `${formatCount(failed)} failed`,
    count > 0 && count < total && `about ${formatDuration(seconds)} left`,
    calls > 0 && `${plural(calls, 'call')} sent`,
    cached > 0 && `${formatCount(cached)} from the cache`,
    tokens > 0 && `${compact(tokens)} tokens`,
    money > 0 && `$${formatDollars(money)}`,
  )
  return present(counts.join(', '), at !== '' && plain(at)).join('; ')
}

/** `834`, `41.2K`, `1.3M`. */
const compact = (count: number) => count.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** `4.2 s`, `2.5 min`, `1.8 h`. */
export function formatDuration(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(1)} s`
  if (seconds < 6000) return `${(seconds / 60).toFixed(1)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
