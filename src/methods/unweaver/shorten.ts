import { ModelError } from '../../errors.ts'
import { shortenDescription } from '../../tasks/described-entities.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { longestStart } from '../shared/longest-start.ts'
import type { Entity } from './entity.ts'

/** Descriptions of more code points are rewritten (released code; its README says tokens). */
export const shortenAboveChars = 4000
/** Tokens to which a description is cut before a model rewrites it: 0.95 × 32768 (released code). */
export const maxDescriptionTokens = 31_129

/**
 * The entities with the longest descriptions rewritten by a model, one call each; where its reply is of no use, the start of the
 * description stands. Before that, a description is cut to the tokens that a model may be shown.
 */
export async function shortenDescriptions(entities: readonly Entity[], models: Models) {
  const cut = entities.map((entity) => ({
    ...entity,
    description: within(maxDescriptionTokens, entity.description, models),
  }))
  const long = cut.filter(({ description }) => charactersOf(description).length > shortenAboveChars)
  const replies = await Promise.all(
    long.map(({ name, description }) => attempt(models, shortenDescription, { name, description })),
  )
  const brief = new Map(
    long.map(({ name }, index) => {
      const reply = replies[index]
      return [name, reply instanceof ModelError ? undefined : reply?.[0]]
    }),
  )
  return {
    entities: cut.map((entity) =>
      brief.has(entity.name)
        ? { ...entity, description: brief.get(entity.name) ?? start(entity.description, shortenAboveChars) }
        : entity,
    ),
    shortened: long.length,
    failures: replies.filter((reply) => reply instanceof ModelError).length,
  }
}

// a token is at least one byte, so short texts need no count
const within = (tokens: number, text: string, models: Models): string =>
  Buffer.byteLength(text) <= tokens || models.countTokens(text) <= tokens
    ? text
    : longestStart(text, tokens, (part) => models.countTokens(part))

const start = (text: string, characters: number): string => charactersOf(text).slice(0, characters).join('')

const charactersOf = (text: string): readonly string[] => Array.from(text)
