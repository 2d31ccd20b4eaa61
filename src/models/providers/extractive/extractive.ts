import { z } from 'zod'
import { ModelError } from '../../../errors.ts'
import { answerChoice, answerQuestion, answerSummary, answerTurn } from '../../../tasks/answers.ts'
import { answerFromPassages, simulateQuery } from '../../../tasks/records.ts'
import { answerAndAsk, imagineAnswer, listPoints, rateReport } from '../../../tasks/graphrag-search.ts'
import { askForMore, extractGraph, mergeDescriptions, writeReport } from '../../../tasks/graphrag-index.ts'
import { attributeSentences, decomposeClaims, verifyClaims } from '../../../tasks/claims.ts'
import { compareAnswers, judgeTurn, judgeUsefulness, questionOfAnswer } from '../../../tasks/verdicts.ts'
import { extractEntities, shortenDescription } from '../../../tasks/described-entities.ts'
import { extractTriples, nameEntities, filterFacts } from '../../../tasks/open-ie.ts'
import {
  listSubjects,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  splitIdeas,
} from '../../../tasks/hlgraphrag.ts'
import { draftQuestion } from '../../../tasks/draft-question.ts'
import { summarise } from '../../../tasks/summarise.ts'
import { utilityQuestions } from '../../../tasks/utility-questions.ts'
import { tokenizer, tokenizerNames } from '../../../text/tokens.ts'
import type { Task } from '../../../types.ts'
import { callOptions } from '../../call-options.ts'
import { cannotDo } from '../../stand-in.ts'
import { answer } from './answer.ts'
import { events, ideas, relations, subjects } from './associations.ts'
import { choice } from './choice.ts'
import { claims } from './claims.ts'
import { draft } from './draft.ts'
import { describedEntities, namedEntities } from './entities.ts'
import { helpfulFacts } from './facts.ts'
import { answeredAndAsked, graphOfText, imagined, mergedDescription, pointsIn, ratingOf, reportOn } from './graph.ts'
import { type Language, openLanguage } from './language/language.ts'
import { preference } from './preference.ts'
import { questionOf } from './question-of.ts'
import { questions } from './questions.ts'
import { answeredFrom, simulated } from './records.ts'
import { briefDescription, summary, summaryFor } from './summary.ts'
import { triples } from './triples.ts'
import { usefulness } from './usefulness.ts'
import { attributions, turnVerdict, verdicts } from './verdicts.ts'
import { defineProvider } from '../../provider.ts'

/** Classical language processing instead of a language model: no key, no network, the same reply always. Each task has a handler of its own. */
export const extractive = defineProvider({
  name: 'extractive',
  summary:
    'Not a language model: picks words and sentences of the context by word overlap and grammar rules; without a context, the longest option. Offline, free, deterministic.',
  can: ['complete'],
  offline: true,
  options: z.strictObject({
    tokenizer: z
      .enum(tokenizerNames)
      .nullable()
      .default(null)
      .describe('Tokenizer that measures the length of summaries; null: the one of the run.'),
    ...callOptions,
  }),
  async open(options, { tokenizer: ofRun = tokenizer('o200k_base') }) {
    const counter = options.tokenizer === null ? ofRun : tokenizer(options.tokenizer)
    const handlers = handlersOf(await openLanguage(), (text) => counter.count(text))
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version: VERSION, tokenizer: counter.name },
      can: (task) => handlers.has(task),
      async complete({ task, input, standIn }, signal) {
        signal.throwIfAborted()
        const handler = handlers.get(task) ?? standIn
        if (!handler) throw new ModelError('refused', cannotDo('extractive', task))
        return { text: handler(input), finish: 'stop' }
      },
    }
  },
})

/** Raised with every change of a reply: it is a part of the cache key. */
const VERSION = 2

type Handler = (input: unknown) => string

function handlersOf(language: Language, count: (text: string) => number): ReadonlyMap<string, Handler> {
  return new Map([
    handler(answerChoice, (input) => choice(language, input)),
    handler(answerQuestion, (input) => answer(language, input)),
    handler(answerSummary, (input) => summaryFor(language, input)),
    handler(summarise, (input) => summary(language, input, count)),
    handler(utilityQuestions, (input) => questions(language, input)),
    handler(extractEntities, (input) => describedEntities(language, input)),
    handler(shortenDescription, (input) => briefDescription(language, input)),
    handler(nameEntities, (input) => namedEntities(language, input)),
    handler(extractTriples, (input) => triples(language, input)),
    handler(filterFacts, (input) => helpfulFacts(language, input)),
    handler(decomposeClaims, (input) => claims(language, input)),
    handler(verifyClaims, (input) => verdicts(language, input)),
    handler(judgeUsefulness, (input) => usefulness(language, input)),
    handler(attributeSentences, (input) => attributions(language, input)),
    handler(extractGraph, (input) => graphOfText(language, input)),
    handler(askForMore, () => 'N'),
    handler(mergeDescriptions, (input) => mergedDescription(language, input)),
    handler(writeReport, (input) => reportOn(language, input)),
    handler(listPoints, (input) => pointsIn(language, input)),
    handler(imagineAnswer, imagined),
    handler(answerAndAsk, (input) => answeredAndAsked(language, input)),
    handler(rateReport, (input) => ratingOf(language, input)),
    handler(questionOfAnswer, (input) => questionOf(language, input)),
    handler(listSubjects, (input) => subjects(language, input)),
    handler(relateSubjects, (input) => relations(language, input, false)),
    handler(relateSubjectsBothWays, (input) => relations(language, input, true)),
    handler(relateEvents, (input) => events(language, input)),
    handler(splitIdeas, (input) => ideas(language, input)),
    handler(draftQuestion, (input) => draft(language, input)),
    handler(simulateQuery, (input) => simulated(language, input)),
    handler(answerFromPassages, (input) => answeredFrom(language, input)),
    handler(compareAnswers, preference),
    handler(judgeTurn, (input) => turnVerdict(language, input)),
    handler(answerTurn, ({ message: question, context }) => answer(language, { question, context, style: 'sentence' })),
  ])
}

/** The input of a request is what its task was asked with: the seam types both. */
const handler = <I, T>(task: Task<I, T>, reply: (input: I) => string): [string, Handler] => [
  task.name,
  (input) => reply(input as I),
]
