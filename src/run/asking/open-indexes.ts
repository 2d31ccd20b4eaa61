import type { Index } from '../../types.ts'
import type { BuiltIndex } from './build-index.ts'

/** Indexes under way in a run, which are closed as soon as nothing more is asked of them. */
export interface OpenIndexes {
  /** Of one method over one corpus, on which so many jobs wait: `keep` takes each index that is built, `done` hears of every job that is done. */
  share(jobs: number): {
    readonly keep: (built: BuiltIndex) => BuiltIndex
    readonly done: () => Promise<void>
  }
  /** Closes all that are left. */
  close(): Promise<void>
}

/** No index yet. */
export function openIndexes(): OpenIndexes {
  const open = new Set<Index>()
  const close = async (indexes: Iterable<Index>): Promise<void> => {
    await Promise.all(
      [...indexes].map(async (index) => {
        // an index that serves several repeats is closed once
        if (open.delete(index)) await index.close?.()
      }),
    )
  }
  return {
    share(jobs) {
      const own: Index[] = []
      let left = jobs
      return {
        keep(built) {
          if (!built.index?.close) return built
          own.push(built.index)
          open.add(built.index)
          return built
        },
        done: async () => (--left === 0 ? close(own) : undefined),
      }
    },
    close: () => close(open),
  }
}
