import { topK } from '../../math/vectors.ts'
import { answerAndAsk, imagineAnswer } from '../../tasks/graphrag-search.ts'
import type { Passage } from '../../types.ts'
import { ModelError } from '../../errors.ts'
import { attempt, runEach } from '../shared/attempt.ts'
import { queryVector } from '../shared/embed.ts'
import type { Report } from './tables.ts'
import { chunksOf, contextTokens, type Asked, lossesOf, withFallback, basic } from './asked.ts'
import { communityUnits, mixedContext, selectedFor } from './local.ts'

/** The local searches of drift: no token is left for entities and relationships (section 3). */
const shares = { communityShare: 0.1, textShare: 0.9 }

/** Reports that a search begins with, and the calls that read them (release 3.1.2). */
const firstStep = { reports: 20, folds: 5 }

/** Rounds of follow-up questions, and the questions of one round (microsoft/graphrag@6dad6d2). */
export const followingUp = { rounds: 3, questions: 20 }

/** Questions that one call may ask. */
const questionsPerCall = 5

/** An answer on the way, with the text units that it was made of. */
interface Step {
  readonly answer: string
  readonly score: number
  readonly units: readonly number[]
  readonly round: number
  readonly question: string
}

/**
 * Drift search (section 3): reports near an invented answer give first answers and follow-up questions; rounds of local
 * searches answer these and ask on. The answers that help most are the passages; the first says so where replies were
 * lost. Throws ModelError where no first answer could be read.
 */
export async function drift(asked: Asked): Promise<readonly Passage[]> {
  const { text, budget, index } = asked
  const { reports, invented } = await nearestReports(asked)
  if (reports.length === 0) return basic(asked, 'the index has no report')
  const steps: Step[] = []
  const first = await firstAnswers(asked, reports, steps)
  let open = first.followUps
  let unanswered = 0
  const known = new Set([text])
  for (let round = 1; round <= followingUp.rounds && open.length > 0; round++) {
    const questions = [...new Set(open)].filter((question) => !known.has(question)).slice(0, followingUp.questions)
    for (const question of questions) known.add(question)
    const found = await Promise.all(questions.map((question) => followUp(asked, question, round)))
    steps.push(...found.flatMap((one) => (one ? [one.step] : [])))
    open = found.flatMap((one) => one?.followUps ?? [])
    unanswered += found.filter((one) => one === undefined).length
  }
  const passages = steps
    .filter(({ answer, score }) => answer.trim() !== '' && score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, budget.passages)
    .map(({ answer, score, units, round, question }): Passage => ({
      text: answer,
      score,
      from: chunksOf(index, units),
      kind: 'summary',
      why: { round, question, score },
    }))
  const lost = { 'invented answers': invented ? 0 : 1, 'first answers': first.lost, 'follow-up answers': unanswered }
  return withFallback(passages, lossesOf('drift', lost))
}

/** The reports nearest to an answer that a model invents in the form of a report; to the question where that fails. */
async function nearestReports({ text, models, index, visible }: Asked) {
  const drawn = visible.reports[Math.floor(models.random() * visible.reports.length)]
  if (!drawn) return { reports: [], invented: true }
  const imagined = await attempt(models, imagineAnswer, { question: text, report: drawn.fullContent })
  const invented = !(imagined instanceof ModelError)
  const vector = await queryVector(invented ? imagined : text, models)
  const seen = new Set(visible.reports)
  const reports = topK(vector, index.reportVectors, index.reports.length)
    .flatMap(({ index: place }) => index.reports[place] ?? [])
    .filter((report) => seen.has(report))
    .slice(0, firstStep.reports)
  return { reports, invented }
}

/** One call for each part of the reports; gives the questions to go on with, and how many of the replies were lost. */
async function firstAnswers(
  { text, models, index }: Asked,
  reports: readonly Report[],
  steps: Step[],
): Promise<{ readonly followUps: readonly string[]; readonly lost: number }> {
  const size = Math.ceil(reports.length / firstStep.folds)
  const folds = Array.from({ length: Math.ceil(reports.length / size) }, (_, fold) =>
    reports.slice(fold * size, (fold + 1) * size),
  )
  const inputs = folds.map((fold) => ({
    question: text,
    main: text,
    context: fold.map(({ fullContent }) => fullContent).join('\n\n'),
    most: questionsPerCall,
  }))
  const replies = await runEach(models, answerAndAsk, inputs)
  const followUps = replies.flatMap((reply, fold) => {
    if (!reply) return []
    const units = folds[fold]?.flatMap(({ community }) => communityUnits(index, community)) ?? []
    steps.push({ answer: reply.answer, score: reply.score, units, round: 0, question: text })
    return reply.followUps
  })
  return { followUps, lost: replies.filter((reply) => reply === undefined).length }
}

async function followUp(asked: Asked, question: string, round: number) {
  const { text, models } = asked
  const selected = await selectedFor(asked, question)
  const context = mixedContext(asked, selected, contextTokens, shares)
  const input = { question, main: text, context: context.text, most: questionsPerCall }
  const reply = await attempt(models, answerAndAsk, input)
  if (reply instanceof ModelError) return undefined
  const units = context.textUnits.items.map(({ id }) => id)
  return { step: { answer: reply.answer, score: reply.score, units, round, question }, followUps: reply.followUps }
}
