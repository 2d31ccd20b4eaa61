// Changes the heartbeat in a lock file twice a second, also while the main thread computes. The text keeps its
// length, so that readers never see a partial one. The thread ends when the lock is gone or replaced.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const { file, text } = workerData
const { token, heartbeat } = JSON.parse(text)
let count = 0

const timer = setInterval(() => {
  let lock
  try {
    lock = openSync(file, 'r+')
    if (!readFileSync(lock, 'utf8').includes(token)) return clearInterval(timer)
    count += 1
    writeSync(lock, text.replace(heartbeat, String(count).padStart(heartbeat.length, '0')), 0)
  } catch (error) {
    if (error.code === 'ENOENT') clearInterval(timer)
  } finally {
    if (lock !== undefined) closeSync(lock)
  }
}, 500)
