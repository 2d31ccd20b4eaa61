import { UserError } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Dataset } from '../../types.ts'
import { placedMessageOf } from './place-of-error.ts'

/** A stranger's dataset whose every error is a UserError that says where it was thrown. `shown`: the file in messages. */
export function guardDataset(dataset: Dataset, shown: string): Dataset {
  const blame = (doing: string, error: unknown): UserError =>
    error instanceof UserError
      ? error
      : new UserError(`${shown}: dataset "${dataset.name}": ${doing} failed: ${placedMessageOf(error)}`, {
          cause: error,
        })
  return {
    ...dataset,
    async files(path, options) {
      try {
        const files: unknown = await dataset.files(path, options)
        if (Array.isArray(files) && files.every((file) => typeof file === 'string')) return files
        throw new UserError(
          `${shown}: dataset "${dataset.name}": files() returned ${describe(files)}, expected a list of paths`,
        )
      } catch (error) {
        throw blame('files()', error)
      }
    },
    async *corpora(path, options) {
      try {
        yield* dataset.corpora(path, options)
      } catch (error) {
        throw blame('corpora()', error)
      }
    },
  }
}
