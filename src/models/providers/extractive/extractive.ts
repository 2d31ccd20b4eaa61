import { z } from 'zod'
import { once } from '../../../basics/memoise.ts'
import { ModelError } from '../../../errors.ts'
import { answerChoice, answerQuestion, answerSummary, answerTurn } from '../../../tasks/answers.ts'
import { attributeSentences, decomposeClaims, verifyClaims } from '../../../tasks/claims.ts'
import {
  extractEntities,
  shortenDescription,
  extractTriples,
  filterFacts,
  nameEntities,
  nameQuestionEntities,
  type Triple,
} from '../../../tasks/entities.ts'
import { draftQuestion, summarise, utilityQuestions } from '../../../tasks/pieces.ts'
import { askForMore, extractGraph, mergeDescriptions, writeReport } from '../../../tasks/graphrag-index.ts'
import { answerAndAsk, imagineAnswer, listPoints, rateReport } from '../../../tasks/graphrag-search.ts'
import {
  listSubjects,
  relateEvents,
  relateEventsBothWays,
  relateSubjects,
  relateSubjectsBothWays,
  splitIdeas,
} from '../../../tasks/hlgraphrag.ts'
import { answerFromPassages, simulateQuery } from '../../../tasks/records.ts'
import { compareAnswers, judgeTurn, judgeUsefulness, questionOfAnswer } from '../../../tasks/verdicts.ts'
import { tokenizer } from '../../../text/tokens.ts'
import type { Task } from '../../../types.ts'
import { cannotDo } from '../../calls/connection.ts'
import { defineProvider } from '../../provider.ts'
import { answer } from './answer.ts'
import { choice } from './choice.ts'
import { claimsIn, judge, preference, turnVerdict } from './claims.ts'
import { describedEntities, eventsIn, graphOf, namesIn, pointsIn, reportOn } from './entities.ts'
import { openLanguage, type Language } from './language.ts'
import { closest } from './overlap.ts'
import { isHeading, mentions } from './phrases.ts'
import { questionsAbout } from './questions.ts'
import { facts } from './statements.ts'
import { centralSentences, shortened, summaryFor } from './summary.ts'

/** Classical language processing instead of a language model: no key, no network, the same reply always. */
export const extractive = defineProvider({
  name: 'extractive',
  summary:
    'Not a language model: picks words and sentences of the context by word overlap and grammar rules; without a context, the longest option. Offline, free, deterministic.',
  can: ['complete'],
  offline: true,
  options: z.strictObject({}),
  async open(_options, { tokenizer: counter = tokenizer('o200k_base') }) {
    const count = (text: string): number => counter.count(text)
    const names = new Set(repliesOf(unopened, count).keys())
    const opened = once(async () => repliesOf(await openLanguage(), count))
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version: VERSION, tokenizer: counter.name },
      can: (task) => names.has(task),
      async ready() {
        await opened()
      },
      async complete({ task, input, standIn }, signal) {
        signal.throwIfAborted()
        const reply = (await opened()).get(task) ?? standIn
        if (!reply) throw new ModelError('refused', cannotDo('extractive', task))
        return { text: reply(input), finish: 'stop' }
      },
    }
  },
})

/** Stands for the language where only the names of tasks are asked for. */
const unopened: Language = { read: refuse, line: refuse }

function refuse(): never {
  throw new Error('the language is not opened')
}

/** Raised with every change of a reply: it is a part of the cache key. */
const VERSION = 4

/** What is replied to the input of a task: its text, or its JSON. */
type Reply = (input: unknown) => string

/** The replies to each task, by its name. */
export function repliesOf(language: Language, count: (text: string) => number): ReadonlyMap<string, Reply> {
  const { read, line } = language
  return new Map([
    reply(answerChoice, (input) => choice(language, input)),
    reply(answerQuestion, (input) => answer(language, input)),
    reply(answerTurn, ({ message, context }) => answer(language, { question: message, context, style: 'sentence' })),
    reply(answerFromPassages, ({ question, passages }) =>
      answer(language, { question, context: passages.join('\n\n'), style: 'sentence' }),
    ),
    reply(
      answerSummary,
      ({ question, context }) => summaryFor(line(question), read(context)) || 'The answer is not known.',
    ),
    reply(summarise, ({ texts, tokens }) => shortened(texts.flatMap(read), tokens, count)),
    reply(shortenDescription, ({ description }) => [shortened(read(description), BRIEF, (text) => text.length)]),
    reply(
      mergeDescriptions,
      ({ descriptions }) => centralSentences(descriptions.flatMap(read), MERGED).join(' ') || descriptions.join(' '),
    ),

    reply(utilityQuestions, ({ text, count }) =>
      questionsAbout(read(text))
        .slice(0, count)
        .map(({ question }) => question),
    ),
    reply(simulateQuery, ({ passage, variant }) => {
      const questions = questionsAbout(read(passage))
      const about = passage.slice(0, 60).trim()
      return questions[variant % Math.max(1, questions.length)]?.question ?? `What is said about ${about}?`
    }),
    reply(questionOfAnswer, ({ answer, index }) => {
      const questions = questionsAbout(read(answer))
      const { question = '' } = questions[index % Math.max(1, questions.length)] ?? {}
      return { question, noncommittal: NONCOMMITTAL.test(answer) ? 1 : 0 }
    }),
    reply(draftQuestion, ({ text, already }) => {
      const asked = new Set(already.map((question) => question.toLowerCase()))
      const questions = questionsAbout(read(text))
      const found = questions.find(({ question, answer }) => answer !== '' && !asked.has(question.toLowerCase()))
      return found ?? { question: '', answer: '', evidence: '' }
    }),

    reply(nameEntities, ({ passage }) => ({ named_entities: namesIn(read(passage)) })),
    reply(nameQuestionEntities, ({ question }) => ({ named_entities: namesIn(read(question)) })),
    reply(extractEntities, ({ text }) =>
      describedEntities(read(text)).map(({ name, description }) => ({
        ...{ entity_name: name, entity_description: description },
      })),
    ),
    reply(extractTriples, ({ passage, entities }) => ({ triples: facts(read(passage), entities) })),
    reply(filterFacts, ({ question, facts, most }) => {
      const found = closest(
        line(question),
        facts.map((fact) => line(fact.join(' '))),
      )
      const helpful = found.filter(({ share }) => share > 0).slice(0, most)
      return { fact: helpful.flatMap(({ place }) => facts.slice(place, place + 1)) }
    }),
    reply(extractGraph, ({ text, replies }) =>
      replies.length > 0 ? { entities: [], relationships: [] } : graphOf(read(text)),
    ),
    reply(askForMore, () => 'N'),
    reply(listSubjects, ({ text }) => {
      const sentences = read(text)
      return { subjects: namesIn(sentences), events: eventsIn(sentences).map(({ event }) => event) }
    }),
    reply(relateSubjects, ({ text, subjects }) => ({ relations: facts(read(text), subjects).map(relation) })),
    reply(relateSubjectsBothWays, ({ text, subjects }) => ({
      relations: facts(read(text), subjects).map((fact) => ({ ...relation(fact), reverse: passive(fact[1]) })),
    })),
    reply(relateEvents, ({ text }) => ({ events: eventsIn(read(text)) })),
    reply(relateEventsBothWays, ({ text }) => ({ events: eventsIn(read(text)) })),
    reply(splitIdeas, ({ message, most }) =>
      read(message)
        .slice(0, most)
        .map(({ text }) => text),
    ),

    reply(writeReport, ({ context }) => reportOn(language, context)),
    reply(listPoints, ({ question, reports }) => {
      const found = pointsIn(language, question, reports).filter(
        ({ sentence, share }) => share > 0 && !isHeading(sentence),
      )
      const points = found.slice(0, POINTS).map(({ sentence, score }) => ({ description: sentence.text, score }))
      return { points: points.length > 0 ? points : [{ description: '', score: 0 }] }
    }),
    reply(rateReport, ({ question, report }) => ({
      rating: Math.round(5 * (closest(line(question), read(report))[0]?.share ?? 0)),
    })),
    reply(imagineAnswer, ({ question }) => question.trim() || '–'),
    reply(answerAndAsk, ({ question, context, most }) => {
      const best = pointsIn(language, question, context).slice(0, 2)
      const asked = question.toLowerCase()
      const names = best
        .flatMap(({ sentence }) => mentions(sentence))
        .filter(({ kind, text }) => kind === 'name' && !asked.includes(text.toLowerCase()))
      const followUps = new Set(names.map(({ text }) => `What is known of ${text}?`))
      return {
        answer: best.map(({ sentence }) => sentence.text).join(' '),
        score: best[0]?.score ?? 0,
        follow_up_questions: [...followUps].slice(0, Math.min(most, 2)),
      }
    }),

    reply(decomposeClaims, (input) => ({ claims: claimsIn(language, input) })),
    reply(verifyClaims, ({ claims, context }) => {
      const judged = judge(language, context)
      const statements = claims.map((statement) => {
        const { reason, verdict } = judged(statement)
        return { statement, reason, verdict }
      })
      return { statements }
    }),
    reply(attributeSentences, ({ sentences, context }) => {
      const judged = judge(language, context)
      return { attributions: sentences.map((sentence) => ({ sentence, attributed: judged(sentence).verdict })) }
    }),
    reply(judgeUsefulness, ({ question, answer, passage }) => {
      // a bare yes or no is found nowhere
      const claim = /^\W*(?:yes|no)\W*$/i.test(answer) ? question : `${question} ${answer}`
      const { reason, verdict } = judge(language, passage)(claim)
      return { reason, verdict }
    }),
    reply(judgeTurn, (input) => turnVerdict(language, input)),
    reply(compareAnswers, preference),
  ])
}

/** The input of a request is what its task was asked with: the caller types both. */
const reply = <I, T>(task: Task<I, T>, made: (input: I) => unknown): [string, Reply] => [
  task.name,
  (input) => (task.reply === 'text' ? String(made(input as I)) : JSON.stringify(made(input as I))),
]

const relation = ([object1, meaning, object2]: Triple) => ({ meaning, object1, object2 })

/** A relation read the other way: a regular verb in the passive, otherwise the verb in brackets. */
const passive = (verb: string): string => (/^\S+ed$/.test(verb) ? `was ${verb} by` : `(${verb})`)

/** How answers say that there is none. */
const NONCOMMITTAL =
  /\b(?:unanswerable|no information|(?:is|are|was|were|remains?) (?:unknown|unclear)|(?:not|cannot)(?: be)? (?:known|sure|certain|clear|determined|answered|stated|mentioned|specified|provided)|(?:I|we) (?:do not|don['’]t|cannot|can['’]t) (?:know|tell|say)|(?:context|text|passages?) (?:do(?:es)? not|do(?:es)?n['’]t|cannot|can['’]t) (?:say|tell|state|mention|specify))\b/i

/** A brief description instead of more than 4000 characters (UnWeaver, section 2, step 8). */
const BRIEF = 400
/** Sentences of a merged description. */
const MERGED = 4
const POINTS = 8
