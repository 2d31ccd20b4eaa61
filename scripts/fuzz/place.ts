import { Worker } from 'node:worker_threads'
import { fuzzKey } from './mutate.ts'
import type { Asked, Replied, WorkerTask } from './worker.ts'

/** Why no reply comes: the time was over, or the thread ended. */
export interface Lost {
  readonly sort: 'hang' | 'crash'
  readonly fault: string
}

/** A thread with a kind opened. After a loss it must be ended. */
export interface Place {
  ask(asked: Asked, limitSeconds: number): Promise<Replied | Lost>
  end(): Promise<unknown>
}

const openingSeconds = 180

/** Opens a kind in a thread of its own. Throws Error where that fails. */
export async function openPlace(task: WorkerTask): Promise<Place> {
  const worker = new Worker(new URL('./worker-start.js', import.meta.url), {
    workerData: task,
    env: { ...process.env, FUZZ_KEY: fuzzKey, NO_COLOR: '1' },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  })
  let settle: (reply: Replied | Lost) => void = () => undefined
  const crash = (why: string): void => settle({ sort: 'crash', fault: `the thread ended: ${why}` })
  worker.on('message', (reply: Replied) => settle(reply))
  worker.on('error', (error) => crash(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  worker.on('exit', (code) => crash(`exit code ${code}`))
  const next = (seconds: number): Promise<Replied | Lost> =>
    new Promise((resolve) => {
      const late = () => resolve({ sort: 'hang', fault: `no end within ${seconds} s` })
      const timer = setTimeout(late, seconds * 1000)
      settle = (reply) => {
        clearTimeout(timer)
        resolve(reply)
      }
    })
  const opened = await next(openingSeconds)
  if (typeof opened === 'object' && 'fault' in opened) {
    await worker.terminate()
    throw new Error(`the kind ${task.kind} cannot be opened: ${opened.fault}`)
  }
  return {
    ask(asked, limitSeconds) {
      const reply = next(limitSeconds)
      worker.postMessage(asked)
      return reply
    },
    end: () => worker.terminate(),
  }
}
