import { MultiBar, type SingleBar } from 'cli-progress'
import type { Manifest } from '../../records.ts'
import { counted, inDollars } from '../../report/render/amounts.ts'
import { moneyOf } from '../../report/table/usage.ts'
import type { Progress, Stage } from '../../run/index.ts'
import type { Phase, Usage } from '../../types.ts'
import { plain } from '../../text/characters.ts'
import { printNotice } from './print.ts'

const names: Readonly<Record<Stage, string>> = {
  ...{ ask: 'asking', judge: 'scoring', graph: 'building graphs', train: 'training' },
}

/** Where progress goes: bars where it is a terminal, else a line now and then. */
interface Screen {
  /** Shows how a stage stands; `isLast` where it has ended. */
  show(stage: Stage, state: State, isLast: boolean): void
  close(): void
}

/**
 * How a stage stands: outcomes there, of how many, how many of them failures (absent where none can fail), since when (milliseconds), what
 * its calls took, and what is worked on.
 */
interface State {
  done: number
  readonly total: number
  failed?: number
  readonly since: number
  /** Of prompts, replies and embedded texts. */
  tokens: number
  /** Dollars; undefined where a model that was used has no price. */
  money: number | undefined
  at: string
}

const canFail = (stage: Stage): boolean => stage === 'ask' || stage === 'judge'

/** Seconds between two lines of progress where standard error is no terminal. */
const lineSeconds = 30

/** The progress of a run on standard error: what is worked on, how far it is, how fast, and when it will be done at this rate. */
export function progressBars(): Progress & { close(): void } {
  const screen = process.stderr.isTTY ? bars() : lines()
  const states = new Map<Stage, State>()
  let models: Manifest['models'] | undefined
  const change = (stage: Stage, by: (state: State) => void): void => {
    const state = states.get(stage)
    if (!state) return
    by(state)
    screen.show(stage, state, false)
  }
  return {
    start(stage, total) {
      if (total === 0) return
      const state = { done: 0, total, since: performance.now(), tokens: 0, money: 0, at: '' }
      states.set(stage, { ...state, ...(canFail(stage) && { failed: 0 }) })
      change(stage, () => undefined)
    },
    models: (named) => (models = named),
    spent: (stage, usage) =>
      change(stage, (state) => {
        for (const [phase, used] of Object.entries(usage) as [Phase, Usage][]) {
          const money = models && moneyOf(models, phase, used)
          state.tokens += used.promptTokens + used.completionTokens + used.embeddedTokens
          if (used.calls > 0)
            state.money = money === undefined || state.money === undefined ? undefined : state.money + money
        }
      }),
    at: (stage, what) => change(stage, (state) => (state.at = what)),
    tick: (stage, failed) =>
      change(stage, (state) => {
        state.done++
        if (failed) state.failed = (state.failed ?? 0) + 1
      }),
    end(stage) {
      const state = states.get(stage)
      if (state) screen.show(stage, state, true)
      states.delete(stage)
    },
    close: () => screen.close(),
  }
}

/** `3 failed, 4.2 per s, about 2 min left, 1,234 tokens, $0.0123`; no rate and no time before the first outcome, no money where none is known. */
export function pace({ done, total, failed, since, tokens, money }: Omit<State, 'at'>, now: number): string {
  const perSecond = (1000 * done) / Math.max(1, now - since)
  const rate = perSecond >= 1 ? `${perSecond.toFixed(1)} per s` : `${(60 * perSecond).toFixed(1)} per min`
  return [
    ...(failed === undefined ? [] : [`${failed} failed`]),
    ...(done > 0 ? [rate] : []),
    ...(done > 0 && done < total ? [`about ${duration((total - done) / perSecond)} left`] : []),
    ...(tokens > 0 ? [`${counted(tokens)} tokens`] : []),
    ...(money !== undefined && money > 0 ? [`$${inDollars(money)}`] : []),
  ].join(', ')
}

function bars(): Screen {
  const multi = new MultiBar({
    format: '{stage} {bar} {value}/{total}  {pace}  {at}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 12,
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: false,
    stopOnComplete: false,
  })
  const open = new Map<Stage, SingleBar>()
  return {
    show(stage, state, isLast) {
      const words = { stage: names[stage].padEnd(7), pace: pace(state, performance.now()), at: plain(state.at) }
      const bar = open.get(stage) ?? multi.create(state.total, 0, words)
      open.set(stage, bar)
      bar.update(state.done, { ...words, ...(isLast && { at: '' }) })
      if (!isLast) return
      bar.stop()
      // the next run of a config with several has a bar of its own
      open.delete(stage)
    },
    close: () => multi.stop(),
  }
}

function lines(): Screen {
  const last = new Map<Stage, State>()
  const say = (): void => {
    for (const [stage, state] of last)
      printNotice(
        [`${names[stage]}: ${state.done} of ${state.total}`, pace(state, performance.now())]
          .filter(Boolean)
          .join(', ') + (state.at === '' ? '' : `; ${plain(state.at)}`),
      )
  }
  const timer = setInterval(say, lineSeconds * 1000)
  timer.unref()
  return {
    show(stage, state, isLast) {
      if (isLast) last.delete(stage)
      else last.set(stage, state)
    },
    close: () => clearInterval(timer),
  }
}

/** A time for a person: `4.2 s`, `2.5 min`, `1.8 h`. */
export const duration = (seconds: number): string =>
  seconds < 100
    ? `${seconds.toFixed(1)} s`
    : seconds < 6000
      ? `${(seconds / 60).toFixed(1)} min`
      : `${(seconds / 3600).toFixed(1)} h`
