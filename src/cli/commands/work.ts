import { resolve } from 'node:path'
import { serve, type WorkerSettings } from '../../run/index.ts'
import { interruptible } from '../ending.ts'
import { printNotice } from '../terminal/print.ts'

export type WorkFlags = Pick<WorkerSettings, 'allow' | 'concurrency' | 'cache' | 'cacheFolder'>

/** `gembench work`: does jobs of runs on a Redis until it is interrupted, which is its ordinary end. */
export async function workCommand(redis: string, { allow, concurrency, cache, cacheFolder }: WorkFlags): Promise<void> {
  const signal = interruptible()
  const settings = { allow, cache, cacheFolder: resolve(cacheFolder), signal, say: printNotice }
  await serve(redis, concurrency === undefined ? settings : { ...settings, concurrency })
}
