// Keeps keys of a Redis from expiring while the process computes. The main thread learns of a lost Redis by its own
// commands.
import { Redis } from 'ioredis'
import { parentPort, workerData } from 'node:worker_threads'

const { url, leaseMs } = workerData
const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 500 })
const keys = new Set()

redis.on('error', () => undefined)
parentPort.on('message', ({ key, isHeld }) => (isHeld ? keys.add(key) : keys.delete(key)))
setInterval(() => {
  const commands = Array.from(keys, (key) => ['pexpire', key, leaseMs])
  const renewal = redis.pipeline(commands).exec()
  renewal.catch(() => undefined)
}, 2000)
