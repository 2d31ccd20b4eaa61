import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { questionOfAnswer } from '../tasks/verdicts.ts'
import { allDone, answerRelevancy as meanCosine } from './measures/ragas/claims.ts'
/** Questions that the judge generates (strictness in RAGAS). */
const questions = 3

/** Whether an answer speaks of what was asked; whether it is right is another question. */
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
    const generated = await allDone(
      Array.from({ length: questions }, (_, index) => models.run(questionOfAnswer, { answer: answer.text, index })),
    )
    if (generated.every((one) => one.question === ''))
      return { skipped: 'the judge generated no question from the answer' }
    const [[asked], embeddings] = await allDone([
      models.embed([question.text], 'query'),
      models.embed(
        generated.map((one) => one.question).filter((text) => text !== ''),
        'document',
      ),
    ])
    const next = embeddings.values()
    const guesses = generated.map((one) => ({
      text: one.question,
      noncommittal: one.noncommittal === 1,
      // many servers refuse to embed nothing
      embedding: one.question === '' ? [] : (next.next().value ?? []),
    }))
    return { metrics: { answerRelevancy: meanCosine(asked ?? [], guesses) }, parts: { generated } }
  },
})
