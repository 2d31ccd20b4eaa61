import { MultiBar, type SingleBar } from 'cli-progress'
import type { Progress, Stage } from '../run/index.ts'

const names: Readonly<Record<Stage, string>> = { ask: 'asking ', judge: 'scoring' }

/** Bars on standard error; silent where that is no terminal. */
export function progressBars(): Progress & { close(): void } {
  if (!process.stderr.isTTY)
    return { start: () => undefined, tick: () => undefined, end: () => undefined, close: () => undefined }
  const multi = new MultiBar({
    format: '{stage} {bar} {value}/{total}  {failed} failed  {duration_formatted}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 32,
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: false,
    stopOnComplete: false,
  })
  const open = new Map<Stage, { bar: SingleBar; failed: number }>()
  return {
    start(stage, total) {
      if (total > 0) open.set(stage, { bar: multi.create(total, 0, { stage: names[stage], failed: 0 }), failed: 0 })
    },
    tick(stage, failed) {
      const one = open.get(stage)
      if (!one) return
      if (failed) one.failed++
      one.bar.increment(1, { failed: one.failed })
    },
    end: (stage) => open.get(stage)?.bar.stop(),
    close: () => multi.stop(),
  }
}
