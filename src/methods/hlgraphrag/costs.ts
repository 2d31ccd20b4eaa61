import { once } from '../../basics/memoise.ts'
import { around, exactly, sumOf, times, embedCalls, taskCalls } from '../../math/expected.ts'
import {
  listSubjects,
  relateEvents,
  relateEventsBothWays,
  relateSubjects,
  relateSubjectsBothWays,
  splitIdeas,
} from '../../tasks/hlgraphrag.ts'
import type { CorpusFacts, MethodCosts } from '../../types.ts'
import { tokensOf, noContext } from '../shared/expected-calls.ts'
import { maxIdeas, type HlGraphRagOptions } from './options.ts'

// measured with the offline provider on the sample dataset, for each token of a chunk
const listed = { low: 0.1, expected: 0.45, high: 0.8 }
const related = { low: 0.25, expected: 0.85, high: 3 }
const relatedBothWays = { low: 0.3, expected: 1.2, high: 4 }
const routed = { low: 0.05, expected: 0.8, high: 3 }
const nodeWords = { low: 0.05, expected: 0.23, high: 1 }
const labelWords = { low: 0.2, expected: 1.25, high: 3 }
/** Tokens of the lines that one idea brings, for each node that it collects. */
const shownTokens = { low: 2, expected: 13.5, high: 80 }

/** The expected cost: up to three calls a chunk, vectors of nodes and labels; a call and an embedding a question. */
export function hlGraphRagCosts(
  { chunks, queries, budget, countTokens }: CorpusFacts,
  { relations, events, directedWeights, rankedRetrieval, nodesPerIdea }: HlGraphRagOptions,
): MethodCosts {
  const read = tokensOf(chunks)
  const mean = read / Math.max(1, chunks.length)
  const calls = exactly(chunks.length)
  const listing = times(listed, mean)
  const shared = sumOf(exactly(read), times(listing, chunks.length))
  const listCalls = { calls, texts: exactly(read), reply: listing }
  const relating = directedWeights ? relateSubjectsBothWays : relateSubjects
  const relateCalls = { calls, texts: shared, reply: times(directedWeights ? relatedBothWays : related, mean) }
  const routing = directedWeights ? relateEventsBothWays : relateEvents
  // the event once more, told from its other end
  const routeCalls = { calls, texts: shared, reply: times(routed, directedWeights ? 1.3 * mean : mean) }
  const texts = { text: '', subjects: [], events: [] }
  const vectors = exactly(chunks.length > 0 ? 1 : 0)
  const asked = chunks.length > 0 ? queries : []
  const words = exactly(asked.reduce((sum, { text }) => sum + countTokens(text), 0))
  const questions = exactly(asked.length)
  const splitting = {
    calls: questions,
    texts: words,
    reply: around(mean > 0 ? words.expected / Math.max(1, asked.length) + 6 : 0),
  }
  const ideas = {
    low: 1,
    expected: 1,
    high: Math.min(maxIdeas, budget.passages),
  }
  return {
    index: [
      { once: 'subjects of chunks', ...taskCalls(listSubjects, texts, listCalls, countTokens) },
      ...(relations
        ? [{ once: `relations of chunks ${directedWeights}`, ...taskCalls(relating, texts, relateCalls, countTokens) }]
        : []),
      ...(events
        ? [{ once: `events of chunks ${directedWeights}`, ...taskCalls(routing, texts, routeCalls, countTokens) }]
        : []),
      embedCalls(vectors, times(nodeWords, read)),
      ...(rankedRetrieval && (relations || events) ? [embedCalls(vectors, times(labelWords, read))] : []),
    ],
    retrieve: [
      {
        once: 'ideas of questions',
        ...taskCalls(splitIdeas, { message: '', most: maxIdeas }, splitting, countTokens),
      },
      {
        once: 'vectors of ideas',
        ...embedCalls(questions, words),
      },
    ],
    context: once(() =>
      chunks.length === 0 ? noContext : { passages: ideas, tokens: times(times(ideas, nodesPerIdea), shownTokens) },
    ),
  }
}
