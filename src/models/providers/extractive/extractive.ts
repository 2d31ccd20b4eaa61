import { z } from 'zod'
import { ModelError } from '../errors.ts'
import { answerChoice } from '../tasks/answer-choice.ts'
import { answerQuestion } from '../tasks/answer-question.ts'
import { attributeSentences } from '../tasks/attribute-sentences.ts'
import { decomposeClaims } from '../tasks/decompose-claims.ts'
import { extractEntities } from '../tasks/extract-entities.ts'
import { extractTriples } from '../tasks/extract-triples.ts'
import { filterFacts } from '../tasks/filter-facts.ts'
import { judgeUsefulness } from '../tasks/judge-usefulness.ts'
import { nameEntities } from '../tasks/name-entities.ts'
import { questionOfAnswer } from '../tasks/question-of-answer.ts'
import { shortenDescription } from '../tasks/shorten-description.ts'
import { summarise } from '../tasks/summarise.ts'
import { utilityQuestions } from '../tasks/utility-questions.ts'
import { verifyClaims } from '../tasks/verify-claims.ts'
import { tokenizer, tokenizerNames } from '../text/tokens.ts'
import type { Task } from '../types.ts'
import { callOptions } from './call-options.ts'
import { answer } from './extractive/answer.ts'
import { choice } from './extractive/choice.ts'
import { claims } from './extractive/claims.ts'
import { describedEntities, namedEntities } from './extractive/entities.ts'
import { helpfulFacts } from './extractive/facts.ts'
import { type Language, openLanguage } from './extractive/language.ts'
import { questionOf } from './extractive/question-of.ts'
import { questions } from './extractive/questions.ts'
import { briefDescription, summary } from './extractive/summary.ts'
import { triples } from './extractive/triples.ts'
import { usefulness } from './extractive/usefulness.ts'
import { attributions, verdicts } from './extractive/verdicts.ts'
import { defineProvider } from './provider.ts'

/** Classical language processing instead of a language model: no key, no network, the same reply always. Each task has a handler of its own. */
export const extractive = defineProvider({
  name: 'extractive',
  summary:
    'No language model: picks words and sentences of the context by overlap and grammar; without a context, the longest option. Offline, free, deterministic.',
  can: ['complete'],
  offline: true,
  options: z.strictObject({
    tokenizer: z
      .enum(tokenizerNames)
      .default('o200k_base')
      .describe('Tokenizer that the length of a summary is counted with.'),
    ...callOptions,
  }),
  async open(options) {
    const counter = tokenizer(options.tokenizer)
    const handlers = handlersOf(await openLanguage(), (text) => counter.count(text))
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version: VERSION, tokenizer: options.tokenizer },
      async complete({ task, input }, signal) {
        signal.throwIfAborted()
        const handler = handlers.get(task)
        if (!handler) throw new ModelError('refused', `extractive has no handler for task ${task}`)
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
    handler(questionOfAnswer, (input) => questionOf(language, input)),
  ])
}

/** The input of a request is what its task was asked with: the seam types both. */
const handler = <I, T>(task: Task<I, T>, reply: (input: I) => string): [string, Handler] => [
  task.name,
  (input) => reply(input as I),
]
