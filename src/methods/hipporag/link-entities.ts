import { topK, type Matrix } from '../../math/vectors.ts'
import { nameEntities } from '../../tasks/name-entities.ts'
import type { Models } from '../../types.ts'
import { runReadable } from '../run-readable.ts'
import { normalPhrase, type Normal } from './normalise.ts'

/** The phrase nearest to an entity of the question. */
export interface LinkedEntity {
  readonly entity: string
  readonly phrase: number
  readonly similarity: number
}

/** What a question names, each linked to its nearest phrase (HippoRAG, section 2.3); `readable` is false where the reply was of no use. */
export async function linkEntities(
  question: string,
  phrases: Matrix,
  normal: Normal,
  models: Models,
): Promise<{ readonly linked: readonly LinkedEntity[]; readonly readable: boolean }> {
  const reply = await runReadable(models, nameEntities, { passage: question })
  const names = (reply?.named_entities ?? []).map((name) => normalPhrase(name, normal))
  const entities = [...new Set(names)].filter((name) => name !== '')
  const vectors = entities.length > 0 && phrases.rows > 0 ? await models.embed(entities, 'query') : []
  const linked = vectors.flatMap((vector, index) =>
    topK(vector, phrases, 1).map((hit) => ({
      entity: entities[index] ?? '',
      phrase: hit.index,
      similarity: hit.score,
    })),
  )
  return { linked, readable: reply !== undefined }
}
