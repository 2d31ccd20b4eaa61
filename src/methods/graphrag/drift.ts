import { answerAndAsk, imagineAnswer } from '../../tasks/graphrag-search.ts'
import type { Passage } from '../../types.ts'
import { ModelError } from '../../errors.ts'
import { slices } from '../../basics/collections.ts'
import { attempt, runEach } from '../shared/attempt.ts'
import { nearestItems, queryVector } from '../shared/embed.ts'
import { addTrace } from '../shared/add-trace.ts'
import type { Report } from './tables.ts'
import { basic, chunksOf, communityUnits, contextTokens, lossesOf, type Search } from './search.ts'
import { localContext, selectEntities, topRelationships } from './local.ts'

/** Budget shares of drift's local searches: no tokens for entities and relationships (section 3). */
const shares = { communityShare: 0.1, textShare: 0.9 }

/** Reports of the first step, and the number of calls that read them (release 3.1.2). */
const firstStep = { reports: 20, folds: 5 }

/** Rounds of follow-up questions, and the questions of one round (microsoft/graphrag@6dad6d2). */
const followUpLimits = { rounds: 3, questions: 20 }

const questionsPerCall = 5

/** An intermediate answer, its score, its text units, and its follow-up questions. */
type Step = Exclude<Awaited<ReturnType<typeof followUp>>, undefined>

/**
 * Drift search (section 3): reports near a hypothetical answer give first answers and follow-up questions; rounds of
 * local searches answer these and ask further ones. Throws ModelError if every first answer is lost.
 */
export async function drift(search: Search): Promise<readonly Passage[]> {
  const { text, budget, index } = search
  const { reports, isInvented } = await nearestReports(search)
  if (reports.length === 0) return basic(search, 'the index has no report')
  const first = await firstAnswers(search, reports)
  let answers = first.filter((step) => step !== undefined)
  const steps = [...answers]
  let lostFollowUps = 0
  const history = new Set([text])
  for (let round = 1; round <= followUpLimits.rounds; round++) {
    const open = new Set(answers.flatMap(({ followUps }) => followUps))
    const questions = [...open].filter((question) => !history.has(question)).slice(0, followUpLimits.questions)
    for (const question of questions) history.add(question)
    const replies = await Promise.all(questions.map((question) => followUp(search, question, round)))
    answers = replies.filter((step) => step !== undefined)
    steps.push(...answers)
    lostFollowUps += replies.length - answers.length
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
  const losses = lossesOf('drift', {
    'invented answers': isInvented ? 0 : 1,
    'first answers': first.filter((step) => step === undefined).length,
    'follow-up answers': lostFollowUps,
  })
  return addTrace(passages, [losses])
}

async function nearestReports({ text, models, index, visible }: Search) {
  const example = visible.reports[Math.floor(models.random() * visible.reports.length)]
  if (!example) return { reports: [], isInvented: true }
  const inventedAnswer = await attempt(models, imagineAnswer, { question: text, report: example.fullContent })
  const isInvented = !(inventedAnswer instanceof ModelError)
  const vector = await queryVector(isInvented ? inventedAnswer : text, models)
  const visibleReports = new Set(visible.reports)
  const reports = nearestItems(vector, index.embeddedReports, index.reports.length)
    .map(({ item }) => item)
    .filter((report) => visibleReports.has(report))
    .slice(0, firstStep.reports)
  return { reports, isInvented }
}

async function firstAnswers({ text, models, index }: Search, reports: readonly Report[]) {
  const folds = [...slices(reports, Math.ceil(reports.length / firstStep.folds))]
  const replies = await runEach(models, answerAndAsk, folds, (fold) => ({
    question: text,
    main: text,
    context: fold.map(({ fullContent }) => fullContent).join('\n\n'),
    most: questionsPerCall,
  }))
  return replies.map((reply, fold): Step | undefined => {
    const units = folds[fold]?.flatMap(({ community }) => communityUnits(index, community)) ?? []
    return reply && { ...reply, units, round: 0, question: text }
  })
}

async function followUp(search: Search, question: string, round: number) {
  const { text, models, index, visible, count } = search
  const entities = await selectEntities(search, question)
  const limits = { contextTokens, topRelationships, ...shares }
  const context = localContext({ ...index, visible }, entities, limits, count)
  const input = { question, main: text, context: context.text, most: questionsPerCall }
  const reply = await attempt(models, answerAndAsk, input)
  if (reply instanceof ModelError) return undefined
  const units: readonly number[] = context.textUnits.items.map(({ id }) => id)
  return { ...reply, units, round, question }
}
