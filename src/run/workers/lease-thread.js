// Keeps keys of a Redis from expiring while the process computes. The main thread learns of a lost Redis by its own
// commands.
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

const { Redis } = createRequire(import.meta.url)(workerData.ioredis)
const redis = new Redis(workerData.url, { maxRetriesPerRequest: null, retryStrategy: () => 500 })
const expiries = new Map()

redis.on('error', () => undefined)
parentPort.on('message', ({ key, ms }) => (ms === undefined ? expiries.delete(key) : expiries.set(key, ms)))
setInterval(() => {
  const commands = [...expiries].map(([key, ms]) => ['pexpire', key, ms])
  if (commands.length > 0) {
    redis
      .pipeline(commands)
      .exec()
      .catch(() => undefined)
  }
}, 2000)
