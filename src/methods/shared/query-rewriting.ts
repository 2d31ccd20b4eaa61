import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { rephraseQuestion, splitQuestion, stepBack as generalQuestion } from '../../tasks/searching.ts'
import type { Models, Passage, Task } from '../../types.ts'
import { attempt, lossOf } from './attempt.ts'
import { fusedPassages, passageKey, rankConstant } from './fused-passages.ts'
import { explained } from './explained.ts'
import { askedMethod, defineRanking } from './ranking-method.ts'

/** A method that queries another one with the question and with texts that a language model makes of it. */
interface Rewriting<I> {
  readonly name: string
  readonly summary: string
  readonly paper?: string
  /** Description of the option `of`. */
  readonly of: string
  readonly task: RewritingTask<I>
  readonly input: (question: string) => I
  /** What the ranking of a text is called, by its number from 1. */
  readonly nameOf: (number: number) => string
  readonly merge: typeof inTurns
}

type RewritingTask<I> = Task<I, string | readonly string[]> & { readonly example?: string }

/** The most texts that are made of a question: queries (RAG-Fusion), or parts (our reading). */
const count = 4

/** RAG-Fusion: a question and other queries for it, their rankings made one by reciprocal ranks. */
export const multiQuery = rewriting({
  name: 'multi-query',
  summary:
    'Asks a method the question and other queries that a language model writes for it, and makes one ranking of all.',
  paper: 'Rackauckas 2024, RAG-Fusion: a New Take on Retrieval-Augmented Generation',
  of: 'The method that is asked all of them: a name, a file, or an entry with options',
  task: rephraseQuestion,
  input: (question) => ({ question, count }),
  nameOf: (number) => `query ${number}`,
  merge: (rankings, names) =>
    fusedPassages(rankings, names, { fusion: 'rrf', k: rankConstant, weights: names.map(() => 1) }),
})

/** A question and the simpler ones that it is made of; their passages in turns. */
export const decompose = rewriting({
  name: 'decompose',
  summary:
    'Asks a method the question and the simpler questions that a language model splits it into; takes their passages in turns.',
  of: 'The method that is asked them: a name, a file, or an entry with options',
  task: splitQuestion,
  input: (question) => ({ question, count }),
  nameOf: (number) => `part ${number}`,
  merge: inTurns,
})

/** A question and a more general one; their passages in turns (our reading of "both are given to the model"). */
export const stepBack = rewriting({
  name: 'step-back',
  summary:
    'Asks a method the question and a more general one that a language model writes; takes their passages in turns.',
  paper: 'Zheng et al. 2024, Take a Step Back: Evoking Reasoning via Abstraction in Large Language Models',
  of: 'The method that is asked both: a name, a file, or an entry with options',
  task: generalQuestion,
  input: (question) => ({ question }),
  nameOf: () => 'the general question',
  merge: inTurns,
})

function rewriting<I>({ of, task, input, nameOf, merge, ...method }: Rewriting<I>) {
  return defineRanking({
    ...method,
    options: z.strictObject({ of: askedMethod.default('vector').describe(of) }),
    tasks: () => [task],
    ranker: () => async (query, ranking, models) => {
      const { texts, fallback } = await rewritten(query.text, task, input(query.text), models)
      // a part that is the whole question is not asked twice
      const others = method.name === 'decompose' ? texts.filter((text) => text !== query.text) : texts
      const rankings = await Promise.all([query.text, ...others].map((text) => ranking({ ...query, text })))
      const merged = merge(rankings, ['the question', ...others.map((_, place) => nameOf(place + 1))])
      return explained(merged, [merged[0]?.why?.['fallback'], fallback], texts.length > 0 ? { asked: texts } : {})
    },
  })
}

/**
 * The texts that a task makes of a question. One that repeats the example of the prompt, or a name in it, and not the
 * question is left out. `fallback` says so, or why there is none: then the question alone is asked.
 */
async function rewritten<I>(
  question: string,
  task: RewritingTask<I>,
  input: I,
  models: Models,
): Promise<{ readonly texts: readonly string[]; readonly fallback?: string }> {
  const reply = await attempt(models, task, input)
  if (reply instanceof ModelError)
    return { texts: [], fallback: `the question alone: the reply of ${task.name} ${lossOf(reply)}` }
  const written = typeof reply === 'string' ? [reply] : reply.slice(0, count)
  const keep = groundingOf('count').on(question)
  const texts = keep(task, written, (text) => ({ told: [text, ...namesIn(text)] }))
  if (texts.length === written.length) return { texts }
  const rest = texts.length > 0 ? 'the others' : 'the question alone'
  return { texts, fallback: `${rest}: what ${task.name} repeated of the example in the prompt is left out` }
}

/** Two words after one another that begin with a capital letter: a name, or a part of one. */
const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<!\S)(?=(\p{Lu}\S*\s+\p{Lu}\S*))/gu), ([, name = '']) => name)

/**
 * Passages of several rankings in turns: the first of each, then the second of each; one that came before is left out.
 * The score is 1 / rank.
 */
function inTurns(rankings: readonly (readonly Passage[])[], names: readonly string[]): readonly Passage[] {
  const longest = Math.max(0, ...rankings.map(({ length }) => length))
  const merged = new Map<string, Passage>()
  for (let rank = 0; rank < longest; rank++)
    for (const [at, ranking] of rankings.entries()) {
      const passage = ranking[rank]
      if (!passage || merged.has(passageKey(passage))) continue
      const { order: _order, ...rest } = passage
      const why = { ...passage.why, [`rank for ${itemAt(names, at)}`]: rank + 1 }
      merged.set(passageKey(passage), { ...rest, score: 1 / (merged.size + 1), why })
    }
  return [...merged.values()]
}
