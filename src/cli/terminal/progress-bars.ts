import type { Manifest } from '../../records.ts'
import { formatDollars, plural } from '../../text/amounts.ts'
import { moneyOf, pricedModels } from '../../report/table/usage.ts'
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
 * How a stage stands: outcomes there, of how many, how many of them failures (absent where none can fail), since when
 * (milliseconds), how its calls stand, and what is worked on.
 */
interface State {
  done: number
  readonly total: number
  failed?: number
  readonly since: number
  readonly calls?: () => CallsSoFar
  at: string
  readonly isOver?: true
}

const canFail = (stage: Stage): boolean => stage === 'ask' || stage === 'judge'

/** Seconds between two lines of progress where standard error is no terminal, and between two drawings where it is. */
const lineSeconds = 30
const drawSeconds = 0.25

interface Screen {
  show(states: ReadonlyMap<Stage, State>): void
  /** Leaves a stage as it has ended. */
  leave?(stage: Stage, state: State): void
  close?(): void
}

/** The progress of a run on standard error: how far it is, its calls, what is worked on, and the time left. */
export function progressBars(): Progress & { close(): void } {
  let models: Manifest['models'] | undefined
  const states = new Map<Stage, State>()
  const said = (state: State): Standing => standing(state, performance.now(), models)
  const screen = process.stderr.isTTY ? bars(said) : notices(said)
  const timer = setInterval(() => screen.show(states), (process.stderr.isTTY ? drawSeconds : lineSeconds) * 1000)
  timer.unref()
  const change = (stage: Stage, by: (state: State) => void): void => {
    const state = states.get(stage)
    if (state) by(state)
  }
  return {
    start(stage, total, calls) {
      if (total === 0) return
      const state = { done: 0, total, since: performance.now(), at: '', ...(calls && { calls }) }
      states.set(stage, { ...state, ...(canFail(stage) && { failed: 0 }) })
      if (process.stderr.isTTY) screen.show(states)
    },
    models: (named) => (models = pricedModels(named)),
    at: (stage, what) => change(stage, (state) => (state.at = what)),
    tick: (stage, failed) =>
      change(stage, (state) => {
        state.done++
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
  /** `12 of 36`, as parts. */
  readonly done: number
  readonly total: number
  /** `3 failed, about 2.0 min left`. */
  readonly outcomes: string
  /** `340 calls sent, 12 from the cache, 41K tokens, $0.0123`; no money where a model that was used has no price. */
  readonly calls: string
  /** Indexes that are built, their calls done: `indexing raptor 45 calls, gor 1`. */
  readonly indexes: string
  readonly at: string
}

export function standing(
  { done, total, failed, since, at, ...state }: State,
  now: number,
  models?: Manifest['models'],
): Standing {
  const calls = state.calls?.()
  const isLeft = done > 0 && done < total && !state.isOver
  const left = isLeft ? ((total - done) * (now - since)) / done / 1000 : null
  const sent = Object.entries(calls?.sent ?? {}) as [Phase, Usage][]
  const tokens = sum(sent.map(([, usage]) => usage.promptTokens + usage.completionTokens + usage.embeddedTokens))
  const money = models && sent.map(([phase, usage]) => moneyOf(models, phase, usage))
  const dollars = money?.includes(undefined) === false ? sum(money.map((one) => one ?? 0)) : 0
  const sending = sum(sent.map(([, usage]) => usage.calls))
  return {
    done,
    total,
    outcomes: [
      ...(failed === undefined ? [] : [`${failed.toLocaleString('en-US')} failed`]),
      ...(left === null ? [] : [`about ${duration(left)} left`]),
    ].join(', '),
    calls: [
      ...(sending > 0 ? [`${plural(sending, 'call')} sent`] : []),
      ...(calls && calls.cached > 0 ? [`${calls.cached.toLocaleString('en-US')} from the cache`] : []),
      ...(tokens > 0 ? [`${compact(tokens)} tokens`] : []),
      ...(dollars > 0 ? [`$${formatDollars(dollars)}`] : []),
    ].join(', '),
    indexes: indexing(state.isOver ? [] : (calls?.indexes ?? [])),
    at: plain(at),
  }
}

function indexing(indexes: CallsSoFar['indexes']): string {
  const [first] = indexes
  if (!first) return ''
  const calls = first.done === undefined ? '' : first.done === 1 ? ' call' : ' calls'
  const count = ({ row, done }: typeof first): string =>
    `${plain(row)}${done === undefined ? '' : ` ${done.toLocaleString('en-US')}`}`
  return `indexing ${indexes.map((one, place) => `${count(one)}${place === 0 ? calls : ''}`).join(', ')}`
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** `834`, `41.2K`, `1.3M`. */
const compact = (count: number): string =>
  count.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Up to three lines for each stage, drawn over themselves. */
function bars(said: (state: State) => Standing): Screen {
  const lines = liveLines(process.stderr)
  const drawn = (stage: Stage, state: State): readonly string[] => {
    const { done, total, outcomes, calls, indexes, at } = said(state)
    const full = Math.round((barWidth * done) / total)
    const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
    const name = names[stage].padEnd(7)
    const count = (value: number): string => value.toLocaleString('en-US')
    const below = [[calls, at].filter(Boolean).join('; '), indexes].filter(Boolean)
    return [
      `${name} ${bar} ${count(done)}/${count(total)}  ${outcomes}`,
      ...below.map((line) => `${' '.repeat(name.length)} ${line}`),
    ]
  }
  return {
    show: (states) => lines.draw([...states].flatMap(([stage, state]) => drawn(stage, state))),
    leave(stage, state) {
      lines.draw([])
      lines.above(() => process.stderr.write(`${drawn(stage, state).join('\n')}\n`))
    },
    close: () => lines.close(),
  }
}

const barWidth = 12

const notices = (said: (state: State) => Standing): Screen => ({
  show(states) {
    for (const [stage, state] of states) {
      const { done, total, outcomes, calls, indexes, at } = said(state)
      const counts = [`${names[stage]}: ${done} of ${total}`, outcomes, calls].filter(Boolean).join(', ')
      printNotice([counts, indexes, at].filter(Boolean).join('; '))
    }
  },
})

/** A time for a person: `4.2 s`, `2.5 min`, `1.8 h`. */
export const duration = (seconds: number): string =>
  seconds < 100
    ? `${seconds.toFixed(1)} s`
    : seconds < 6000
      ? `${(seconds / 60).toFixed(1)} min`
      : `${(seconds / 3600).toFixed(1)} h`
