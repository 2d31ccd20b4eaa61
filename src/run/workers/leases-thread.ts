import { parentPort, workerData } from 'node:worker_threads'
import type { LeaseMessage } from './leases.ts'
import { loadIoredis } from './connect-redis.ts'

/** How often keys are kept alive, in milliseconds: several times before one expires. */
const everyMs = 2000

const { Redis } = await loadIoredis()
const redis = new Redis(workerData as string, { maxRetriesPerRequest: null, retryStrategy: () => 500 })
// the main thread has a connection of its own and says what is wrong with it
redis.on('error', () => undefined)

const kept = new Map<string, number>()
parentPort?.on('message', (message: LeaseMessage) => {
  if ('release' in message) kept.delete(message.release)
  else kept.set(message.keep, message.ms)
})

setInterval(() => {
  const commands = [...kept].map(([key, ms]) => ['pexpire', key, ms])
  // where a command fails the main thread learns of it by its own
  if (commands.length > 0)
    void redis
      .pipeline(commands)
      .exec()
      .catch(() => undefined)
}, everyMs)
