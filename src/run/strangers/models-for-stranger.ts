import type { Models } from '../../types.ts'
import { keepKind } from './call-stranger.ts'

/**
 * The models as a stranger's function gets them: what it writes to them or to their vectors changes nothing for others, their errors keep
 * their kind, and a function that has failed but goes on makes no more calls.
 */
export function modelsForStranger(models: Models, signal: AbortSignal): Models {
  const keptKind = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      throw keepKind(error)
    }
  }
  const call = <T>(make: () => Promise<T>): Promise<T> =>
    signal.aborted ? Promise.reject(new Error('the function that asks has failed already')) : keptKind(make())
  const copies = (vectors: readonly Float32Array[]): readonly Float32Array[] => vectors.map((one) => one.slice())
  return Object.freeze({
    ...models,
    signal,
    run: (task, input) => call(() => models.run(task, input)),
    embed: async (texts, role) => copies(await call(() => models.embed(texts.slice(), role))),
    embedTokens: async (text, layer) => copies(await call(() => models.embedTokens(text, layer))),
  } satisfies Models)
}
