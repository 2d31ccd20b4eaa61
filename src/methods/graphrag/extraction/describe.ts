import { ModelError } from '../../../errors.ts'
import { mergeDescriptions } from '../../../tasks/graphrag/merge-descriptions.ts'
import type { Models } from '../../../types.ts'
import { attempt } from '../../shared/attempt.ts'
import { fold } from './fold.ts'

/** Merges descriptions by a model and counts what came of it; where a reply is of no use, the descriptions stand one after the other. */
export function describer(
  models: Models,
  { descriptionWords: words, descriptionTokens }: { descriptionWords: number; descriptionTokens: number },
) {
  const counts = { calls: 0, lost: 0 }
  const describe = async (names: readonly string[], descriptions: readonly string[]): Promise<string> => {
    const told = descriptions.filter((description) => description !== '')
    const usable = () => {
      const bare = mergeDescriptions.prompt({ names, descriptions: [], words }).messages
      return descriptionTokens - bare.reduce((sum, { content }) => sum + models.countTokens(content), 0)
    }
    const merged = await fold(
      told,
      usable,
      (text) => models.countTokens(text),
      async (given) => {
        counts.calls++
        const reply = await attempt(models, mergeDescriptions, { names, descriptions: given, words })
        if (!(reply instanceof ModelError)) return reply
        counts.lost++
        return undefined
      },
    )
    return merged ?? [...new Set(told)].sort().join(' ')
  }
  return { describe, counts }
}
