import { deepFreeze, plainData } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Corpus, Dataset } from '../../types.ts'
import { callPlugIn } from './call-plug-in.ts'
import { placedMessageOf } from './plug-in-errors.ts'

/** The time limit of a dataset's functions, the default of a method's; what a dataset tells the user stays. */
const datasetCall = { seconds: 600, limit: 'the limit of a dataset', keepsUserErrors: true } as const

/** A dataset that throws only UserError. `place`: its file, or its place in the config. */
export function guardDataset(dataset: Dataset, place: string): Dataset {
  const call = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await callPlugIn({ doing, ...datasetCall }, work)
    } catch (error) {
      if (error instanceof UserError) throw error
      const message = `${place}: dataset "${dataset.name}": ${doing} failed: ${placedMessageOf(error)}`
      throw new UserError(message, { cause: error })
    }
  }
  return {
    ...dataset,
    files: (path, options) =>
      call('files()', async () => {
        const files: unknown = await dataset.files(path, deepFreeze(options))
        if (Array.isArray(files) && files.every((file) => typeof file === 'string')) return files
        throw new UserError(
          `${place}: dataset "${dataset.name}": files() returned ${describe(files)}, expected a list of paths`,
        )
      }),
    async *corpora(path, options, onBadRecord) {
      const corpora = await call('corpora()', async () =>
        dataset.corpora(path, deepFreeze(options), onBadRecord)[Symbol.asyncIterator](),
      )
      try {
        for (;;) {
          const next = await call('corpora()', async () => {
            const item = await corpora.next()
            return item.done ? undefined : copyCorpus(item.value)
          })
          if (next === undefined) return
          yield next
        }
      } finally {
        await corpora.return?.()
      }
    },
  }
}

/** A corpus that later changes do not reach, copied item by item: as one text it could be too long. */
function copyCorpus(corpus: Corpus): Corpus {
  const { documents, questions, ...rest } = corpus
  const copies = (list: unknown): unknown => (Array.isArray(list) ? list.map(plainData) : list)
  return { ...(plainData(rest) as object), documents: copies(documents), questions: copies(questions) } as Corpus
}
