import { z } from 'zod'
import { jsonOnly, jsonTask, numberShape, samples, textTask } from './task.ts'
import { closest, read } from './stand-ins/reading.ts'
import { answerWithQuestions, pointsIn } from './stand-ins/summaries.ts'

// any item parses, and valid points count, as in the reference
const pointShape = z.toJSONSchema(z.object({ description: z.string(), score: z.number() }))
const { $schema: _, ...pointSchema } = pointShape

/** The points of reports that help to answer a question, with scores from 0 to 100 (GraphRAG's map step). */
export const listPoints = jsonTask({
  name: 'list-points',
  sample: {
    question: 'Who planned the lighthouse?',
    reports: 'id|title|content\n1|Cape Wrath|Robert Stevenson planned the lighthouse on Cape Wrath.',
    words: 1000,
  },
  replyTokens: () => 350,
  output: z.object({ points: z.array(z.unknown().register(z.globalRegistry, pointSchema)) }),
  offline({ question, reports }) {
    const points = pointsIn(question, reports).slice(0, 8)
    return { points: points.length > 0 ? points : [{ description: '', score: 0 }] }
  },
  system: [
    `You read reports and list the points in them that help to answer a question. Each point is a description of what the reports say, and a score from 0 to 100 of how much it helps; where nothing helps, one empty point of score 0. Add nothing that the reports do not say.
${jsonOnly}: {"points": [{"description": "John Bell built Arden Mill in 1790.", "score": 80}]}`,
    ({ reports }) => `Reports:\n${reports.trim()}`.trim(),
  ],
  user: '{{question}}\n\nList the points in at most {{words}} words.',
  maxTokens: 2048,
})

/** How much a report helps to answer a question, from 0 to 5 (GraphRAG's dynamic selection of communities). */
export const rateReport = jsonTask({
  name: 'rate-report',
  version: 2,
  sample: { question: 'Who planned the lighthouse?', report: samples.fact },
  output: z.object({ rating: numberShape }).transform(({ rating }) => rating),
  offline: ({ question, report }) => ({ rating: Math.round(5 * (closest(question, read(report))[0]?.share ?? 0)) }),
  system: [
    `You rate how much a report helps to answer a question: 0 where it does not help at all, 5 where it holds the answer.
${jsonOnly}: {"rating": 3}`,
    ({ report }) => `Report:\n${report}`.trim(),
  ],
  user: '{{question}}',
  maxTokens: 64,
})

/** A hypothetical answer in the form of a report, whose vector retrieves similar reports (GraphRAG's drift search). */
export const imagineAnswer = textTask({
  name: 'imagine-answer',
  sample: {
    question: 'Who planned the lighthouse?',
    report: '# Cape Wrath\n\nRobert Stevenson planned the lighthouse on Cape Wrath.',
  },
  replyTokens: () => 150,
  offline: ({ question }) => question.trim() || '–',
  system: [
    'You write what an answer to a question could look like: follow the form of the report below, and do not use its names and facts unless the question is about them. Reply with the answer alone.',
    ({ report }) => `Report:\n${report}`.trim(),
  ],
  user: '{{question}}',
  maxTokens: 1024,
})

/** A step of GraphRAG's drift search: an answer, its score for the main question (0 to 100), follow-up questions. */
export const answerAndAsk = jsonTask({
  name: 'answer-and-ask',
  version: 2,
  sample: {
    question: 'Who planned the lighthouse?',
    main: 'Who was Robert Stevenson?',
    context: samples.fact,
    most: 5,
  },
  replyTokens: () => 200,
  output: z
    .object({
      answer: z.string(),
      score: numberShape,
      follow_up_questions: z.array(z.string().trim().min(1)),
    })
    .transform(({ answer, score, follow_up_questions: followUps }) => ({ answer, score, followUps })),
  offline: ({ question, context, most }) => answerWithQuestions(question, context, most),
  system: [
    `You answer a question from the data below, and say how far the answer helps with the main question, from 0 to 100. Then you list up to {{most}} follow-up questions whose answers would help more. Say only what the data says.
${jsonOnly}: {"answer": "John Bell built it.", "score": 60, "follow_up_questions": ["When was Arden Mill built?"]}`,
    'Main question: {{main}}',
    ({ context }) => `Data:\n${context.trim()}`.trim(),
  ],
  user: '{{question}}',
  maxTokens: 2048,
})
