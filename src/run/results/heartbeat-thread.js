// Changes the counter in a lock file twice a second, also while the process of the run computes. The text keeps its
// length, so that no reader meets half of one; once the lock is gone or another's, the thread ends.
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
