// Touches the lock file twice a second, also while the main thread computes; never a lock that has replaced it.
import { readFileSync, utimesSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

setInterval(() => {
  try {
    if (readFileSync(workerData.file, 'utf8') === workerData.text) utimesSync(workerData.file, new Date(), new Date())
  } catch {
    // a network drive may be away for a moment
  }
}, 500)
