import { deepFreeze, plainData } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Corpus, Dataset } from '../../types.ts'
import { callPlugIn, markError, ofDataset } from './call-plug-in.ts'
import { placedMessageOf } from './error-place.ts'

/** A dataset that throws only UserError. `place`: its file, or its place in the config. */
export function guardDataset(dataset: Dataset, place: string): Dataset {
  const blame = (doing: string, error: unknown): UserError =>
    error instanceof UserError
      ? error
      : new UserError(`${place}: dataset "${dataset.name}": ${doing} failed: ${placedMessageOf(error)}`, {
          cause: error,
        })
  const call = <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    const plugInCall = { doing, ...ofDataset }
    const keepUserErrors = async (): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw error instanceof UserError ? markError(error) : error
      }
    }
    return callPlugIn(plugInCall, keepUserErrors).catch((error: unknown) => Promise.reject(blame(doing, error)))
  }
  return {
    ...dataset,
    files: (path, options) =>
      call('files()', async () => {
        const files: unknown = await dataset.files(path, deepFreeze(options))
        const copy: unknown = Array.isArray(files) ? Array.from(files as readonly unknown[]) : files
        if (Array.isArray(copy) && copy.every((file) => typeof file === 'string')) return copy
        throw new UserError(
          `${place}: dataset "${dataset.name}": files() returned ${describe(copy)}, expected a list of paths`,
        )
      }),
    async *corpora(path, options, onBadRecord) {
      const corpora = await call('corpora()', async () =>
        dataset.corpora(path, deepFreeze(options), onBadRecord)[Symbol.asyncIterator](),
      )
      try {
        for (let number = 0; ; number++) {
          const corpus = await call('corpora()', async () => {
            const next = await corpora.next()
            return next.done ? undefined : copyCorpus(next.value)
          })
          if (corpus === undefined) return
          yield corpus
        }
      } finally {
        await call('corpora()', async () => {
          await corpora.return?.()
        })
      }
    },
  }
}

/** A corpus that the dataset cannot change any more; what is no corpus stays as it is, for the checks that follow. */
function copyCorpus(corpus: Corpus): Corpus {
  if (typeof corpus !== 'object' || (corpus as Corpus | null) === null) return corpus
  const { documents, questions, ...rest } = corpus
  const copies = (list: unknown): unknown => (Array.isArray(list) ? list.map(plainData) : plainData(list))
  return { ...(plainData(rest) as object), documents: copies(documents), questions: copies(questions) } as Corpus
}
