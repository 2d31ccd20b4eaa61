import { ModelError } from '../../errors.ts'
import { topKOfEach, type Matrix } from '../../math/vectors.ts'
import { nameEntities } from '../../tasks/entities/name-entities.ts'
import type { Models } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { normalPhrase, type Normal } from './normalise.ts'

/** The phrase nearest to an entity of the question. */
export interface LinkedEntity {
  readonly entity: string
  readonly phrase: number
  readonly similarity: number
}

export interface Linking {
  readonly linked: readonly LinkedEntity[]
  /** Why nothing is linked, in words. */
  readonly lack?: string
}

/** What a question names, each linked to its nearest phrase (HippoRAG, section 2.3). */
export async function linkEntities(
  question: string,
  phrases: Matrix,
  normal: Normal,
  models: Models,
): Promise<Linking> {
  const reply = await attempt(models, nameEntities, { passage: question })
  if (reply instanceof ModelError)
    return { linked: [], lack: `the reply with the entities of the question ${lossOf(reply)}` }
  const names = reply.named_entities.map((name) => normalPhrase(name, normal))
  const entities = [...new Set(names)].filter((name) => name !== '')
  if (entities.length === 0) return { linked: [], lack: 'the question names no entity' }
  if (phrases.rows === 0) return { linked: [], lack: 'the graph has no phrase' }
  const vectors = await models.embed(entities, 'query')
  const linked = topKOfEach(vectors, phrases, 1).flatMap((hits, index) =>
    hits.map((hit) => ({
      entity: entities[index] ?? '',
      phrase: hit.index,
      similarity: hit.score,
    })),
  )
  return { linked }
}
