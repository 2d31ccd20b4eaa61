import type { Manifest } from '../../records.ts'
import { formatDollars, plural } from '../../text/amounts.ts'
import { moneyOf, pricedModels } from '../../report/gather/usage.ts'
import type { CallsSoFar, Progress, Stage } from '../../run/index.ts'
import type { Phase, Usage } from '../../types.ts'
import { plain } from '../../text/characters.ts'
import { liveLines, printNotice } from './print.ts'

const names: Readonly<Record<Stage, string>> = {
  ask: 'asking',
  judge: 'scoring',
  graph: 'building graphs',
  train: 'training',
}

/**
 * State of a stage. `count` of `total` outcomes; `failed` is absent if none can fail; `since` in milliseconds;
 * `at`: the current item.
 */
interface State {
  count: number
  readonly total: number
  failed?: number
  readonly since: number
  readonly calls?: () => CallsSoFar
  at: string
  readonly isOver?: true
}

const canFail = (stage: Stage): boolean => stage === 'ask' || stage === 'judge'

/** Seconds between progress lines without a terminal, and between redraws on a terminal. */
const lineSeconds = 30
const drawSeconds = 0.25

interface Screen {
  show(states: ReadonlyMap<Stage, State>): void
  /** Draws the final state of a stage. */
  leave?(stage: Stage, state: State): void
  close?(): void
}

/** Shows progress, calls, current item and remaining time on standard error. */
export function progressBars(): Progress & { close(): void } {
  let models: Manifest['models'] | undefined
  const states = new Map<Stage, State>()
  const standingOf = (state: State): Standing => standing(state, performance.now(), models)
  const screen = process.stderr.isTTY ? barScreen(standingOf) : noticeScreen(standingOf)
  const timer = setInterval(() => screen.show(states), (process.stderr.isTTY ? drawSeconds : lineSeconds) * 1000)
  timer.unref()
  const change = (stage: Stage, by: (state: State) => void): void => {
    const state = states.get(stage)
    if (state) by(state)
  }
  return {
    start(stage, total, calls) {
      if (total === 0) return
      const state = { count: 0, total, since: performance.now(), at: '', ...(calls && { calls }) }
      states.set(stage, { ...state, ...(canFail(stage) && { failed: 0 }) })
      if (process.stderr.isTTY) screen.show(states)
    },
    models: (allModels) => (models = pricedModels(allModels)),
    at: (stage, item) => change(stage, (state) => (state.at = item)),
    tick: (stage, failed) =>
      change(stage, (state) => {
        state.count++
        if (failed) state.failed = (state.failed ?? 0) + 1
      }),
    end(stage) {
      const state = states.get(stage)
      states.delete(stage)
      if (state) screen.leave?.(stage, { ...state, at: '', isOver: true })
    },
    close() {
      clearInterval(timer)
      screen.close?.()
    },
  }
}

interface Standing {
  readonly count: number
  readonly total: number
  /** `3 failed, about 2.0 min left`. */
  readonly outcomes: string
  /** `340 calls sent, 12 from the cache, 41K tokens, $0.0123`; no money if a model has no price. */
  readonly calls: string
  /** Indexes in progress with finished calls: `indexing raptor 45 calls, gor 1`. */
  readonly indexes: string
  readonly at: string
}

export function standing(
  { count, total, failed, since, at, ...state }: State,
  now: number,
  models?: Manifest['models'],
): Standing {
  const calls = state.calls?.()
  const isLeft = count > 0 && count < total && !state.isOver
  const remainingSeconds = isLeft ? ((total - count) * (now - since)) / count / 1000 : null
  const sentUsage = Object.entries(calls?.sentUsage ?? {}) as [Phase, Usage][]
  const tokens = sum(sentUsage.map(([, usage]) => usage.promptTokens + usage.completionTokens + usage.embeddedTokens))
  const money = models && sentUsage.map(([phase, usage]) => moneyOf(models, phase, usage))
  const dollars = money?.includes(undefined) === false ? sum(money.map((amount) => amount ?? 0)) : 0
  const callCount = sum(sentUsage.map(([, usage]) => usage.calls))
  return {
    count,
    total,
    outcomes: [
      ...(failed === undefined ? [] : [`${failed.toLocaleString('en-US')} failed`]),
      ...(remainingSeconds === null ? [] : [`about ${formatDuration(remainingSeconds)} left`]),
    ].join(', '),
    calls: [
      ...(callCount > 0 ? [`${plural(callCount, 'call')} sent`] : []),
      ...(calls && calls.cached > 0 ? [`${calls.cached.toLocaleString('en-US')} from the cache`] : []),
      ...(tokens > 0 ? [`${compact(tokens)} tokens`] : []),
      ...(dollars > 0 ? [`$${formatDollars(dollars)}`] : []),
    ].join(', '),
    indexes: indexingText(state.isOver ? [] : (calls?.indexes ?? [])),
    at: plain(at),
  }
}

function indexingText(indexes: CallsSoFar['indexes']): string {
  const [first] = indexes
  if (!first) return ''
  const calls = first.callsDone === undefined ? '' : first.callsDone === 1 ? ' call' : ' calls'
  const format = ({ row, callsDone }: typeof first): string =>
    `${plain(row)}${callsDone === undefined ? '' : ` ${callsDone.toLocaleString('en-US')}`}`
  return `indexing ${indexes.map((index, place) => `${format(index)}${place === 0 ? calls : ''}`).join(', ')}`
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** `834`, `41.2K`, `1.3M`. */
const compact = (count: number): string =>
  count.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Up to three lines per stage, redrawn in place. */
function barScreen(standingOf: (state: State) => Standing): Screen {
  const lines = liveLines(process.stderr)
  const renderStage = (stage: Stage, state: State): readonly string[] => {
    const { count, total, outcomes, calls, indexes, at } = standingOf(state)
    const full = Math.round((barWidth * count) / total)
    const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
    const name = names[stage].padEnd(7)
    const format = (value: number): string => value.toLocaleString('en-US')
    const below = [[calls, at].filter(Boolean).join('; '), indexes].filter(Boolean)
    return [
      `${name} ${bar} ${format(count)}/${format(total)}  ${outcomes}`,
      ...below.map((line) => `${' '.repeat(name.length)} ${line}`),
    ]
  }
  return {
    show: (states) => lines.draw([...states].flatMap(([stage, state]) => renderStage(stage, state))),
    leave(stage, state) {
      lines.draw([])
      lines.above(() => process.stderr.write(`${renderStage(stage, state).join('\n')}\n`))
    },
    close: () => lines.close(),
  }
}

const barWidth = 12

const noticeScreen = (standingOf: (state: State) => Standing): Screen => ({
  show(states) {
    for (const [stage, state] of states) {
      const { count, total, outcomes, calls, indexes, at } = standingOf(state)
      const counts = [`${names[stage]}: ${count} of ${total}`, outcomes, calls].filter(Boolean).join(', ')
      printNotice([counts, indexes, at].filter(Boolean).join('; '))
    }
  },
})

/** `4.2 s`, `2.5 min`, `1.8 h`. */
export const formatDuration = (seconds: number): string =>
  seconds < 100
    ? `${seconds.toFixed(1)} s`
    : seconds < 6000
      ? `${(seconds / 60).toFixed(1)} min`
      : `${(seconds / 3600).toFixed(1)} h`
