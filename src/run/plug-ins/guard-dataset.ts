import { frozen, plainData } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Corpus, Dataset } from '../../types.ts'
import { callPlugIn, keepKind } from '../calls/call-plug-in.ts'
import { placedMessageOf } from './place-of-error.ts'

/** A plug-in's dataset whose every error is a UserError that says where it was thrown. `shown`: the file in messages. */
export function guardDataset(dataset: Dataset, shown: string): Dataset {
  const blame = (doing: string, error: unknown): UserError =>
    error instanceof UserError
      ? error
      : new UserError(`${shown}: dataset "${dataset.name}": ${doing} failed: ${placedMessageOf(error)}`, {
          cause: error,
        })
  const call = <T>(doing: string, of: readonly (string | number)[], work: () => Promise<T>): Promise<T> => {
    const who = `dataset "${dataset.name}"`
    const called = { who, whose: who, doing, of, seconds, limit: 'the limit of a dataset' }
    const told = async (): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw error instanceof UserError ? keepKind(error) : error
      }
    }
    return callPlugIn(called, told).catch((error: unknown) => Promise.reject(blame(doing, error)))
  }
  return {
    ...dataset,
    files: (path, options) =>
      call('files()', [path], async () => {
        const files: unknown = await dataset.files(path, frozen(options))
        const copy: unknown = Array.isArray(files) ? Array.from(files as readonly unknown[]) : files
        if (Array.isArray(copy) && copy.every((file) => typeof file === 'string')) return copy
        throw new UserError(
          `${shown}: dataset "${dataset.name}": files() returned ${describe(copy)}, expected a list of paths`,
        )
      }),
    async *corpora(path, options) {
      const corpora = await call('corpora()', [path], async () =>
        dataset.corpora(path, frozen(options))[Symbol.asyncIterator](),
      )
      try {
        for (let number = 0; ; number++) {
          const corpus = await call('corpora()', [path, number], async () => {
            const next = await corpora.next()
            return next.done ? undefined : copyCorpus(next.value)
          })
          if (corpus === undefined) return
          yield corpus
        }
      } finally {
        await call('corpora()', [path, 'return'], async () => {
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

/** As long as a method's function may take where a config says nothing. */
const seconds = 600
