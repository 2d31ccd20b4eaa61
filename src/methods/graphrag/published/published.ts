import { UserError } from '../../../errors.ts'
import type { Chunk, Models } from '../../../types.ts'
import { wholeDocuments } from '../../shared/whole-documents.ts'
import type { Built } from '../build.ts'
import { unitAt, type SourceUnit } from '../../shared/text-units.ts'
import { readIndex } from './read-index.ts'

/**
 * A published index over the documents that the chunks were cut from: each text unit is found in them by its exact text. One that stands
 * nowhere is never a passage, and counted. Throws UserError where the folder cannot be read or holds no text of the documents.
 */
export async function published(folder: string, chunks: readonly Chunk[], models: Models): Promise<Built> {
  const tables = await readIndex(folder)
  const documents = wholeDocuments(chunks)
  const count = (text: string) => models.countTokens(text)
  const sources = tables.textUnits.map(({ text }): SourceUnit | undefined => {
    const found = documents.find((document) => document.text.includes(text))
    const start = found?.text.indexOf(text) ?? 0
    return found && unitAt(found, start, start + text.length, count)
  })
  const missing = sources.filter((source) => source === undefined).length
  if (chunks.length > 0 && missing === sources.length)
    throw new UserError(`${folder}: no text unit of this index stands in the documents of the corpus`)
  const titles = new Set(tables.entities.map(({ title }) => title))
  const orphans = tables.relationships.filter(({ source, target }) => !titles.has(source) || !titles.has(target)).length
  const { entities, relationships, communities, reports, textUnits } = tables
  return {
    ...tables,
    sources,
    stats: {
      published: folder,
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      orphans,
      communities: communities.length,
      reports: reports.length,
      textUnitsNotFound: missing,
    },
    warnings: {
      'text units of the published index that stand in no document': missing,
      'relationships of the published index with an end that is no entity': orphans,
    },
  }
}
