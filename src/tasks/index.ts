import { fillPlaceholders } from '../text/placeholders.ts'
import type { Message, Prompt, PromptTemplates, Task } from '../types.ts'
import type { SampledTask } from './task.ts'
import { answerChoice, answerQuestion, answerSummary, answerTurn } from './answers.ts'
import {
  extractEntities,
  shortenDescription,
  extractTriples,
  nameEntities,
  nameQuestionEntities,
  filterFacts,
} from './entities.ts'
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
import { answerFromPassages, simulateQuery } from './records.ts'
import { chat } from './chat.ts'
import {
  imaginePassage,
  judgeRelevance,
  rankPassages,
  reasonStep,
  rephraseQuestion,
  splitQuestion,
  stepBack,
} from './searching.ts'
import { draftQuestion, listPropositions, situateChunk, summarise, utilityQuestions } from './pieces.ts'

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

/** Fields that say how much or how is asked, and those that an input may lack; a prompt may leave them out. */
const settings: ReadonlySet<string> = new Set([
  ...['style', 'count', 'tokens', 'words', 'most', 'maxTokens', 'temperature', 'variant', 'index', 'atomicity'],
  ...['coverage', 'replies', 'already', 'entityTypes', 'roles.asks', 'roles.replies', 'decompose-claims.question'],
])

/** The tasks whose prompts a config may give, and what such a prompt may name of the input, and what it must. */
export const taskFields = tasks
  .filter(({ name }) => name !== 'chat')
  .map(({ name, sample }) => {
    const fields = Object.entries(Object(sample) as Readonly<Record<string, unknown>>).flatMap(([field, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${field}.${inner}`)
        : [field],
    )
    return { name, fields, needed: fields.filter((field) => !settings.has(field) && !settings.has(`${name}.${field}`)) }
  })

/** The prompt of a task for an input: its own, or the messages that a config gives for it. */
export function promptFor<I>(
  task: Pick<Task<I, unknown>, 'name' | 'prompt'>,
  input: I,
  templates: PromptTemplates,
): Prompt {
  const prompt = task.prompt(input)
  const template = Object.hasOwn(templates, task.name) ? templates[task.name] : undefined
  if (!template) return prompt
  const messages = template.map(({ role, content }): Message => ({
    role,
    content: fillPlaceholders(content, Object(input) as object),
  }))
  return { ...prompt, messages }
}
