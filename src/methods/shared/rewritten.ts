import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import type { Models, Passage, Task } from '../../types.ts'
import { attempt, lossOf } from './attempt.ts'
import { passageKey } from './fused-passages.ts'

/** What a model made of a question, or why nothing. */
export interface Rewritten {
  readonly texts: readonly string[]
  readonly fallback?: string
}

/**
 * Texts that a task makes of a question, at most so many. One that repeats the example of the prompt, or a name in it,
 * and not the question is left out, which is told. The question alone is asked where none is left.
 */
export async function rewritten<I extends { readonly question: string }>(
  models: Models,
  task: Task<I, string | readonly string[]> & { readonly example?: string },
  input: I,
  most: number,
): Promise<Rewritten> {
  const reply = await attempt(models, task, input)
  if (reply instanceof ModelError)
    return { texts: [], fallback: `the question alone: the reply of ${task.name} ${lossOf(reply)}` }
  const written = typeof reply === 'string' ? [reply] : reply.slice(0, most)
  const keep = groundingOf('count').on(input.question)
  const texts = keep(task, written, (text) => ({ told: [text, ...namesIn(text)] }))
  if (texts.length === written.length) return { texts }
  const asked = texts.length > 0 ? 'the others' : 'the question alone'
  return { texts, fallback: `${asked}: what ${task.name} repeated of the example in the prompt is left out` }
}

/** Two words after one another that begin with a capital letter: a name, or a part of one. */
const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<!\S)(?=(\p{Lu}\S*\s+\p{Lu}\S*))/gu), ([, name = '']) => name)

/** The first passage says what was asked besides the question, or why nothing; `as`: under which name. */
export const withRewritten = (
  passages: readonly Passage[],
  { texts, fallback }: Rewritten,
  as = 'asked',
): readonly Passage[] =>
  passages.map((passage, rank) => {
    if (rank > 0) return passage
    const said = [passage.why?.['fallback'], fallback].filter((one) => one !== undefined)
    return {
      ...passage,
      why: {
        ...passage.why,
        ...(texts.length > 0 && { [as]: texts }),
        ...(said.length > 0 && { fallback: said.join('; ') }),
      },
    }
  })

/**
 * Passages of several rankings in turns: the first of each, then the second of each; one that came before is left out.
 * The score is 1 / rank.
 */
export function inTurns(rankings: readonly (readonly Passage[])[], names: readonly string[]): readonly Passage[] {
  const longest = Math.max(0, ...rankings.map(({ length }) => length))
  const found = new Map<string, Passage>()
  for (let rank = 0; rank < longest; rank++)
    for (const [at, ranking] of rankings.entries()) {
      const passage = ranking[rank]
      if (!passage) continue
      const key = passageKey(passage)
      const { order: _order, ...rest } = passage
      if (!found.has(key))
        found.set(key, {
          ...rest,
          score: 1 / (found.size + 1),
          why: { ...passage.why, [`rank for ${itemAt(names, at)}`]: rank + 1 },
        })
    }
  return [...found.values()]
}
