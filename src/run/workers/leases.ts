import { Worker } from 'node:worker_threads'

/** Keys of Redis that live as long as this process, so that one that is killed leaves nothing to wait for. */
export interface Leases {
  /** Keeps a key alive that expires after `leaseMs`, or after `ms`, unless it is kept. */
  keep(key: string, ms?: number): void
  /** Lets a key expire, or be removed. */
  release(key: string): void
  close(): Promise<void>
}

/** Milliseconds after which a kept key is gone where its process was killed. */
export const leaseMs = 10_000

/** What the thread is told. */
export type LeaseMessage = { readonly keep: string; readonly ms: number } | { readonly release: string }

/** Keeps keys of the Redis of that address alive from a thread of its own: a long computation does not hold it up. */
export function openLeases(url: string): Leases {
  const thread = new Worker(new URL('leases-thread.js', import.meta.url), { workerData: url })
  thread.unref()
  // without it keys expire, as they do where this process ends
  thread.on('error', () => undefined)
  const tell = (message: LeaseMessage): void => thread.postMessage(message)
  return {
    keep: (key, ms = leaseMs) => tell({ keep: key, ms }),
    release: (key) => tell({ release: key }),
    async close() {
      await thread.terminate()
    },
  }
}
