import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { rephraseQuestion, splitQuestion, stepBack as generalQuestion } from '../../tasks/searching.ts'
import type { SampledTask } from '../../tasks/task.ts'
import type { Method, Models, Passage } from '../../types.ts'
import { attempt, lossOf } from './attempt.ts'
import { fusePassages, passageKey, rankConstant } from './fuse-passages.ts'
import { addTrace } from './add-trace.ts'
import { methodOption, defineRanking } from './ranking-method.ts'
import { rankedPassages, type Search, searchByTurns } from './search-loop.ts'

/**
 * A method that queries another one with the question and with texts that a language model derives from it. `of`:
 * description of the option; `nameOf`: the name of the ranking of a text, by its number from 1.
 */
interface Rewriting extends Pick<Method, 'name' | 'summary' | 'paper'> {
  readonly of: string
  readonly task: RewritingTask
  readonly nameOf: (number: number) => string
  readonly merge: (searches: readonly Search[], names: readonly string[]) => readonly Passage[]
}

type RewritingTask = Omit<
  SampledTask<{ readonly question: string; readonly count: number }, string | readonly string[]>,
  'halves' | 'joined' | 'sample'
>

/** Maximum number of derived texts: queries (RAG-Fusion), or parts (our reading). */
const maxTexts = 4

/** RAG-Fusion: the rankings of a question and of other queries for it, fused by reciprocal ranks. */
export const multiQuery = defineRewriting({
  name: 'multi-query',
  summary:
    'Asks a method the question and other queries that a language model writes for it, and makes one ranking of all.',
  paper: 'Rackauckas 2024, RAG-Fusion: a New Take on Retrieval-Augmented Generation',
  of: 'The method that is asked all of them: a name, a file, or an entry with options',
  task: rephraseQuestion,
  nameOf: (number) => `query ${number}`,
  merge: (searches, names) =>
    fusePassages(
      searches.map(({ passages }) => passages),
      names,
      { fusion: 'rrf', k: rankConstant, weights: [] },
    ),
})

/** Interleaves the rankings of a question and of its simpler subquestions. */
export const decompose = defineRewriting({
  name: 'decompose',
  summary:
    'Asks a method the question and the simpler questions that a language model splits it into; takes their passages in turns.',
  of: 'The method that is asked them: a name, a file, or an entry with options',
  task: splitQuestion,
  nameOf: (number) => `part ${number}`,
  merge: interleave,
})

/** Interleaves the rankings of a question and of a more general one (our reading of "both are given to the model"). */
export const stepBack = defineRewriting({
  name: 'step-back',
  summary:
    'Asks a method the question and a more general one that a language model writes; takes their passages in turns.',
  paper: 'Zheng et al. 2024, Take a Step Back: Evoking Reasoning via Abstraction in Large Language Models',
  of: 'The method that is asked both: a name, a file, or an entry with options',
  task: generalQuestion,
  nameOf: () => 'the general question',
  merge: interleave,
})

function defineRewriting({ of, task, nameOf, merge, ...method }: Rewriting) {
  return defineRanking({
    ...method,
    options: z.strictObject({ of: methodOption('vector', of) }),
    tasks: () => [task],
    ranker: () => async (query, ranking, models) => {
      const { texts, fallback } = await rewriteQuestion(query.text, task, models)
      // a part that equals the question is not searched twice
      const subqueries = method.name === 'decompose' ? texts.filter((text) => text !== query.text) : texts
      const { searches } = await searchByTurns(
        (text) => ranking({ ...query, text }),
        async function* () {
          yield [query.text, ...subqueries]
        },
      )
      const subqueryNames = subqueries.map((_, place) => nameOf(place + 1))
      const passages = merge(searches, ['the question', ...subqueryNames])
      return addTrace(passages, [fallback], texts.length > 0 ? { asked: texts } : {})
    },
  })
}

/**
 * The texts that a task derives from a question, without those that echo the example of the prompt. `fallback`: why
 * texts were dropped, or why only the question is searched.
 */
async function rewriteQuestion(
  question: string,
  task: RewritingTask,
  models: Models,
): Promise<{ readonly texts: readonly string[]; readonly fallback?: string }> {
  const reply = await attempt(models, task, { question, count: maxTexts })
  if (reply instanceof ModelError)
    return { texts: [], fallback: `the question alone: the reply of ${task.name} ${lossOf(reply)}` }
  const candidates = typeof reply === 'string' ? [reply] : reply.slice(0, maxTexts)
  const keep = groundingOf('count').on(question)
  const texts = keep(task, candidates, (text) => ({ statements: [text, ...namesIn(text)] }))
  if (texts.length === candidates.length) return { texts }
  const rest = texts.length > 0 ? 'the others' : 'the question alone'
  return { texts, fallback: `${rest}: what ${task.name} repeated of the example in the prompt is left out` }
}

/** Pairs of capitalised words: a name, or a part of one. */
const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<!\S)(?=(\p{Lu}\S*\s+\p{Lu}\S*))/gu), ([, name = '']) => name)

/** Interleaves rankings: the first passage of each, then the second of each, without duplicates. */
function interleave(searches: readonly Search[], names: readonly string[]): readonly Passage[] {
  const why = (place: number, rank: number) => ({ [`rank for ${itemAt(names, place)}`]: rank + 1 })
  return rankedPassages(searches, why, (lists) => roundRobin(lists, passageKey))
}
