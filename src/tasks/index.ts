import type { SampledTask } from './task.ts'
import { answerChoice, answerQuestion, answerSummary, answerTurn } from './answers.ts'
import { extractEntities, shortenDescription } from './described-entities.ts'
import { extractTriples, nameEntities, nameQuestionEntities, filterFacts } from './open-ie.ts'
import { answerAndAsk, imagineAnswer, listPoints, rateReport } from './graphrag-search.ts'
import { askForMore, extractGraph, mergeDescriptions, writeReport } from './graphrag-index.ts'
import {
  listSubjects,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  relateEventsBothWays,
  splitIdeas,
} from './hlgraphrag.ts'
import { attributeSentences, decomposeClaims, verifyClaims } from './claims.ts'
import { compareAnswers, judgeAnswer, judgeTurn, judgeUsefulness, questionOfAnswer } from './verdicts.ts'
import { draftQuestion } from './draft-question.ts'
import { answerFromPassages, simulateQuery } from './records.ts'
import { chat } from './chat.ts'
import { judgeRelevance, rankPassages } from './reranking.ts'
import { imaginePassage, reasonStep, rephraseQuestion, splitQuestion, stepBack } from './rewriting.ts'
import { listPropositions } from './list-propositions.ts'
import { situateChunk } from './situate-chunk.ts'
import { summarise } from './summarise.ts'
import { utilityQuestions } from './utility-questions.ts'

/** Everything that is asked of a language model. */
export const tasks: readonly SampledTask[] = [
  answerChoice,
  answerQuestion,
  answerSummary,
  summarise,
  utilityQuestions,
  extractEntities,
  shortenDescription,
  nameEntities,
  nameQuestionEntities,
  extractTriples,
  filterFacts,
  extractGraph,
  askForMore,
  mergeDescriptions,
  writeReport,
  listPoints,
  rateReport,
  imagineAnswer,
  answerAndAsk,
  decomposeClaims,
  verifyClaims,
  judgeUsefulness,
  attributeSentences,
  questionOfAnswer,
  listSubjects,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  relateEventsBothWays,
  splitIdeas,
  simulateQuery,
  answerFromPassages,
  answerTurn,
  judgeTurn,
  judgeAnswer,
  compareAnswers,
  chat,
  draftQuestion,
  rankPassages,
  judgeRelevance,
  imaginePassage,
  rephraseQuestion,
  splitQuestion,
  stepBack,
  reasonStep,
  situateChunk,
  listPropositions,
]
