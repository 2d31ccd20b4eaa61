import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { questionOfAnswer } from '../tasks/question-of-answer.ts'
import { allDone } from './all-done.ts'
import { answerRelevancy as meanCosine } from './ragas/answer-relevancy.ts'

/** Whether an answer speaks of what was asked; whether it is right is another question. */
export const answerRelevancy = defineScorer({
  name: 'answer-relevancy',
  version: 2,
  summary: 'Mean cosine between the question and those that a judge would have asked, given the answer; 0 for evasion.',
  source: 'RAGAS v0.4.0, metrics/_answer_relevance.py',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({
    questions: z.int().positive().default(3).describe("Questions that the judge is asked for (RAGAS' strictness)"),
  }),
  judge: true,
  columns: [{ metric: 'answerRelevancy', label: 'answer relevancy' }],
  async score({ question, answer }, models, { questions }) {
    if (answer.text.trim() === '') return { skipped: 'there is no answer' }
    const generated = await allDone(
      Array.from({ length: questions }, (_, index) => models.run(questionOfAnswer, { answer: answer.text, index })),
    )
    if (generated.every((one) => one.question === '')) return { skipped: 'the judge found no question in the answer' }
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
      noncommittal: one.noncommittal !== 0,
      // many servers refuse to embed nothing
      embedding: one.question === '' ? [] : (next.next().value ?? []),
    }))
    return { metrics: { answerRelevancy: meanCosine(asked ?? [], guesses) }, parts: { generated } }
  },
})
