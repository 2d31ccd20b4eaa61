import type { Task } from '../types.ts'
import { answerChoice, sample as answerChoiceSample } from './answers/answer-choice.ts'
import { answerQuestion, sample as answerQuestionSample } from './answers/answer-question.ts'
import { answerSummary, sample as answerSummarySample } from './answers/answer-summary.ts'
import { answerTurn, sample as answerTurnSample } from './answers/answer-turn.ts'
import { extractEntities, sample as extractEntitiesSample } from './entities/extract-entities.ts'
import { extractTriples, sample as extractTriplesSample } from './entities/extract-triples.ts'
import { filterFacts, sample as filterFactsSample } from './entities/filter-facts.ts'
import { nameEntities, sample as nameEntitiesSample } from './entities/name-entities.ts'
import { sample as shortenDescriptionSample, shortenDescription } from './entities/shorten-description.ts'
import { answerAndAsk, sample as answerAndAskSample } from './graphrag/answer-and-ask.ts'
import { askForMore, sample as askForMoreSample } from './graphrag/ask-for-more.ts'
import { extractGraph, sample as extractGraphSample } from './graphrag/extract-graph.ts'
import { imagineAnswer, sample as imagineAnswerSample } from './graphrag/imagine-answer.ts'
import { listPoints, sample as listPointsSample } from './graphrag/list-points.ts'
import { mergeDescriptions, sample as mergeDescriptionsSample } from './graphrag/merge-descriptions.ts'
import { rateReport, sample as rateReportSample } from './graphrag/rate-report.ts'
import { writeReport, sample as writeReportSample } from './graphrag/write-report.ts'
import { listSubjects, sample as listSubjectsSample } from './hlgraphrag/list-subjects.ts'
import { relateEvents, sample as relateEventsSample } from './hlgraphrag/relate-events.ts'
import { relateSubjects, relateSubjectsBothWays, sample as relateSubjectsSample } from './hlgraphrag/relate-subjects.ts'
import { sample as splitIdeasSample, splitIdeas } from './hlgraphrag/split-ideas.ts'
import { attributeSentences, sample as attributeSentencesSample } from './judging/attribute-sentences.ts'
import { compareAnswers, sample as compareAnswersSample } from './judging/compare-answers.ts'
import { decomposeClaims, sample as decomposeClaimsSample } from './judging/decompose-claims.ts'
import { judgeTurn, sample as judgeTurnSample } from './judging/judge-turn.ts'
import { judgeUsefulness, sample as judgeUsefulnessSample } from './judging/judge-usefulness.ts'
import { questionOfAnswer, sample as questionOfAnswerSample } from './judging/question-of-answer.ts'
import { sample as verifyClaimsSample, verifyClaims } from './judging/verify-claims.ts'
import { draftQuestion, sample as draftQuestionSample } from './questions/draft-question.ts'
import { answerFromPassages, sample as answerFromPassagesSample } from './records/answer-from-passages.ts'
import { sample as simulateQuerySample, simulateQuery } from './records/simulate-query.ts'
import { chat, sample as chatSample } from './chat.ts'
import { sample as summariseSample, summarise } from './summarise.ts'
import { sample as utilityQuestionsSample, utilityQuestions } from './utility-questions.ts'

/** A task with a fixed input that it can be tried with; the prompt's hash is taken of it. */
export interface SampledTask<I = unknown, T = unknown> extends Task<I, T> {
  readonly sample: I
}

/** Everything that is asked of a language model. */
export const tasks: readonly SampledTask[] = [
  sampled(answerChoice, answerChoiceSample),
  sampled(answerQuestion, answerQuestionSample),
  sampled(answerSummary, answerSummarySample),
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
  sampled(simulateQuery, simulateQuerySample),
  sampled(answerFromPassages, answerFromPassagesSample),
  sampled(answerTurn, answerTurnSample),
  sampled(judgeTurn, judgeTurnSample),
  sampled(compareAnswers, compareAnswersSample),
  sampled(chat, chatSample),
  sampled(draftQuestion, draftQuestionSample),
]

function sampled<I, T>(task: Task<I, T>, sample: I): SampledTask<I, T> {
  return { ...task, sample }
}
