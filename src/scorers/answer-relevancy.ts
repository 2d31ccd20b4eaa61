import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { questionOfAnswer } from '../tasks/verdicts.ts'
import { awaitAll, answerRelevancy as meanCosine } from './measures/ragas/claims.ts'
/** Questions that the judge generates (strictness in RAGAS). */
const questionCount = 3

/** Whether an answer addresses the question, right or wrong. */
export const answerRelevancy = defineScorer({
  name: 'answer-relevancy',
  version: 4,
  summary:
    'Mean cosine between the question and the questions that a judge generates from the answer; 0 for an evasive answer.',
  source: 'RAGAS v0.4.0, metrics/_answer_relevance.py',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  tasks: [questionOfAnswer],
  ranges: { answerRelevancy: [-1, 1] },
  columns: [{ metric: 'answerRelevancy', label: 'answer relevancy' }],
  async score({ question, answer }, models) {
    if (answer.text.trim() === '') return { skipped: 'the answer is empty' }
    const replies = await awaitAll(
      Array.from({ length: questionCount }, (_, index) => models.run(questionOfAnswer, { answer: answer.text, index })),
    )
    if (replies.every((reply) => reply.question === ''))
      return { skipped: 'the judge generated no question from the answer' }
    const [[questionVector], embeddings] = await awaitAll([
      models.embed([question.text], 'query'),
      models.embed(
        replies.map((reply) => reply.question).filter((text) => text !== ''),
        'document',
      ),
    ])
    const next = embeddings.values()
    const guesses = replies.map((reply) => ({
      text: reply.question,
      noncommittal: reply.noncommittal === 1,
      // many servers refuse to embed an empty text
      embedding: reply.question === '' ? [] : (next.next().value ?? []),
    }))
    return { metrics: { answerRelevancy: meanCosine(questionVector ?? [], guesses) }, parts: { generated: replies } }
  },
})
