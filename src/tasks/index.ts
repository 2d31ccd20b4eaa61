import type { Task } from '../types.ts'
import { answerChoice, sample as answerChoiceSample } from './answer-choice.ts'
import { answerQuestion, sample as answerQuestionSample } from './answer-question.ts'
import { answerTurn, sample as answerTurnSample } from './answer-turn.ts'
import { attributeSentences, sample as attributeSentencesSample } from './attribute-sentences.ts'
import { decomposeClaims, sample as decomposeClaimsSample } from './decompose-claims.ts'
import { extractEntities, sample as extractEntitiesSample } from './extract-entities.ts'
import { extractTriples, sample as extractTriplesSample } from './extract-triples.ts'
import { filterFacts, sample as filterFactsSample } from './filter-facts.ts'
import { imagineAnswer, sample as imagineAnswerSample } from './imagine-answer.ts'
import { judgeTurn, sample as judgeTurnSample } from './judge-turn.ts'
import { judgeUsefulness, sample as judgeUsefulnessSample } from './judge-usefulness.ts'
import { listSubjects, sample as listSubjectsSample } from './list-subjects.ts'
import { nameEntities, sample as nameEntitiesSample } from './name-entities.ts'
import { answerAndAsk, sample as answerAndAskSample } from './answer-and-ask.ts'
import { askForMore, sample as askForMoreSample } from './ask-for-more.ts'
import { extractGraph, sample as extractGraphSample } from './extract-graph.ts'
import { listPoints, sample as listPointsSample } from './list-points.ts'
import { mergeDescriptions, sample as mergeDescriptionsSample } from './merge-descriptions.ts'
import { rateReport, sample as rateReportSample } from './rate-report.ts'
import { writeReport, sample as writeReportSample } from './write-report.ts'
import { questionOfAnswer, sample as questionOfAnswerSample } from './question-of-answer.ts'
import { relateEvents, sample as relateEventsSample } from './relate-events.ts'
import { relateSubjects, relateSubjectsBothWays, sample as relateSubjectsSample } from './relate-subjects.ts'
import { sample as shortenDescriptionSample, shortenDescription } from './shorten-description.ts'
import { sample as splitIdeasSample, splitIdeas } from './split-ideas.ts'
import { sample as summariseSample, summarise } from './summarise.ts'
import { sample as utilityQuestionsSample, utilityQuestions } from './utility-questions.ts'
import { sample as verifyClaimsSample, verifyClaims } from './verify-claims.ts'

/** A task with a fixed input that it can be tried with; the prompt's hash is taken of it. */
export interface SampledTask<I = unknown, T = unknown> extends Task<I, T> {
  readonly sample: I
}

/** Everything that is asked of a language model. */
export const tasks: readonly SampledTask[] = [
  sampled(answerChoice, answerChoiceSample),
  sampled(answerQuestion, answerQuestionSample),
  sampled(summarise, summariseSample),
  sampled(utilityQuestions, utilityQuestionsSample),
  sampled(extractEntities, extractEntitiesSample),
  sampled(shortenDescription, shortenDescriptionSample),
  sampled(nameEntities, nameEntitiesSample),
  sampled(extractTriples, extractTriplesSample),
  sampled(filterFacts, filterFactsSample),
  sampled(extractGraph, extractGraphSample),
  sampled(askForMore, askForMoreSample),
  sampled(mergeDescriptions, mergeDescriptionsSample),
  sampled(writeReport, writeReportSample),
  sampled(listPoints, listPointsSample),
  sampled(rateReport, rateReportSample),
  sampled(imagineAnswer, imagineAnswerSample),
  sampled(answerAndAsk, answerAndAskSample),
  sampled(decomposeClaims, decomposeClaimsSample),
  sampled(verifyClaims, verifyClaimsSample),
  sampled(judgeUsefulness, judgeUsefulnessSample),
  sampled(attributeSentences, attributeSentencesSample),
  sampled(questionOfAnswer, questionOfAnswerSample),
  sampled(listSubjects, listSubjectsSample),
  sampled(relateSubjects, relateSubjectsSample),
  sampled(relateSubjectsBothWays, relateSubjectsSample),
  sampled(relateEvents, relateEventsSample),
  sampled(splitIdeas, splitIdeasSample),
  sampled(answerTurn, answerTurnSample),
  sampled(judgeTurn, judgeTurnSample),
]

function sampled<I, T>(task: Task<I, T>, sample: I): SampledTask<I, T> {
  return { ...task, sample }
}
