import type { SampledTask } from './task.ts'
import { answerChoice } from './answers/answer-choice.ts'
import { answerQuestion } from './answers/answer-question.ts'
import { answerSummary } from './answers/answer-summary.ts'
import { answerTurn } from './answers/answer-turn.ts'
import { extractEntities } from './entities/extract-entities.ts'
import { extractTriples } from './entities/extract-triples.ts'
import { filterFacts } from './entities/filter-facts.ts'
import { nameEntities } from './entities/name-entities.ts'
import { shortenDescription } from './entities/shorten-description.ts'
import { answerAndAsk } from './graphrag/answer-and-ask.ts'
import { askForMore } from './graphrag/ask-for-more.ts'
import { extractGraph } from './graphrag/extract-graph.ts'
import { imagineAnswer } from './graphrag/imagine-answer.ts'
import { listPoints } from './graphrag/list-points.ts'
import { mergeDescriptions } from './graphrag/merge-descriptions.ts'
import { rateReport } from './graphrag/rate-report.ts'
import { writeReport } from './graphrag/write-report.ts'
import { listSubjects } from './hlgraphrag/list-subjects.ts'
import { relateEvents } from './hlgraphrag/relate-events.ts'
import { relateSubjects, relateSubjectsBothWays } from './hlgraphrag/relate-subjects.ts'
import { splitIdeas } from './hlgraphrag/split-ideas.ts'
import { attributeSentences } from './judging/attribute-sentences.ts'
import { compareAnswers } from './judging/compare-answers.ts'
import { decomposeClaims } from './judging/decompose-claims.ts'
import { judgeTurn } from './judging/judge-turn.ts'
import { judgeUsefulness } from './judging/judge-usefulness.ts'
import { questionOfAnswer } from './judging/question-of-answer.ts'
import { verifyClaims } from './judging/verify-claims.ts'
import { draftQuestion } from './questions/draft-question.ts'
import { answerFromPassages } from './records/answer-from-passages.ts'
import { simulateQuery } from './records/simulate-query.ts'
import { chat } from './chat.ts'
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
  splitIdeas,
  simulateQuery,
  answerFromPassages,
  answerTurn,
  judgeTurn,
  compareAnswers,
  chat,
  draftQuestion,
]
