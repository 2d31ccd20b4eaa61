// Touches the lock file twice a second, also while the main thread computes; never a lock that has replaced it.
import { futimesSync, openSync, readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const { file, text } = workerData
const lock = openSync(file, 'r+')
const touch = () => {
  try {
    futimesSync(lock, new Date(), new Date())
  } catch {
    // a network drive may be away for a moment
  }
}
if (readFileSync(lock, 'utf8') === text) setInterval(touch, 500)
