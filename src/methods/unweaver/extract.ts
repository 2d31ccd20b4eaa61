import { extractEntities } from '../../tasks/described-entities.ts'
import type { Chunk, Models } from '../../types.ts'
import { runEach } from '../shared/run-each.ts'
import type { Entity } from './entity.ts'

/** What a model names in each chunk, in order: one call a chunk, no gleaning (UnWeaver, section 3). `failures`: chunks whose reply was of no use. Throws ModelError where all were. */
export async function extractMentions(
  chunks: readonly Chunk[],
  models: Models,
): Promise<{ readonly mentions: readonly Entity[]; readonly failures: number }> {
  const replies = await runEach(
    models,
    extractEntities,
    chunks.map(({ text }) => ({ text })),
  )
  const mentions = replies.flatMap((entities, row) =>
    (entities ?? []).map(({ entity_name, entity_description }) => ({
      name: withPlainSpaces(entity_name),
      description: withPlainSpaces(entity_description),
      chunks: [row],
    })),
  )
  return { mentions, failures: replies.filter((reply) => reply === undefined).length }
}

/** Tabs, no-break and other odd spaces become plain ones, or names that look alike would stay apart; line breaks stay. */
const withPlainSpaces = (text: string): string => text.replace(/[^\S\r\n]/g, ' ')
