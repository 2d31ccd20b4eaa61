import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readChoice } from '../answering/read-choice.ts'
import { safeName } from '../datasets/download/unpack.ts'
import { sectionAt } from '../datasets/emanual.ts'
import { splitter, malformedAt } from '../formats/json-records.ts'
import { locateAnswer } from '../datasets/shared/answer-span.ts'
import { occurrences } from './characters.ts'
import { messageOf } from '../errors.ts'
import { tokenF1 } from '../scorers/measures/answers/token-f1.ts'
import { stem } from '../scorers/measures/rouge/porter.ts'
import { rougeTokens } from '../scorers/rouge.ts'
import { read } from '../tasks/stand-ins/reading.ts'
import { extractiveReply as reply } from '../test-support/extractive-replies.ts'
import { growth } from '../test-support/growth.ts'
import { hostileTexts } from '../test-support/hostile-texts.ts'
import { validateItems } from './validate.ts'
import { readVerdictReply } from '../tasks/verdict-reply.ts'
import { outerBrackets, lastCodeBlock, outermostBrackets, parseLenient } from './json.ts'
import { nearest } from './names.ts'
import { withoutReasoning } from './reasoning.ts'
import { paragraphs, sentences } from './sentences.ts'
import { tokenizer } from './tokens.ts'
import { words } from './words.ts'

/** A function that reads text from outside, and for how many UTF-16 units its work is compared. */
type Read = (text: string) => unknown

const list = z.object({ a: z.array(z.int()) })
const passage = 'Mary Bell met Bob in 1990. It is so.'

const quick: Readonly<Record<string, Read>> = {
  malformedAt,
  splitter: (text) => {
    const records = splitter('file')
    return [...records.feed(text), records.end()]
  },
  'locateAnswer in the text': (text) => locateAnswer({ id: 'd', text }, { answer: 'a a b', offset: 5 }),
  'locateAnswer of the answer': (text) => locateAnswer({ id: 'd', text }, { answer: `${text.slice(9)}q`, offset: 5 }),
  occurrences: (text) => occurrences(text, text.slice(text.length / 2)),
  sectionAt: (text) => sectionAt(text, [{ id: 'a', text, title: text }]),
  safeName,
  messageOf: (text) => messageOf(new Error(text)),
  nearest: (text) => nearest(text, ['bm25', 'gem-rag']),
  paragraphs,
  withoutReasoning,
  words,
  lastFenced: lastCodeBlock,
  bracketed: outerBrackets,
  scattered: outermostBrackets,
  readChoice: (text) => readChoice(text, ['a lamp', 'the ship', 'word word word', 'no']),
  'readChoice among its options': (text) => readChoice('a lamp', [text, `${text}b`, 'c', 'd']),
  tokenF1: (text) => tokenF1(text, text, 0),
  rougeTokens: (text) => rougeTokens(text, true),
  stem,
}

/** What takes more time for every unit; most of it is spent in libraries. */
const slow: Readonly<Record<string, Read>> = {
  'parseLenient, an object': (text) => parseLenient(text, 'object'),
  'parseLenient, a list': (text) => parseLenient(text, 'list'),
  'parseLenient, within braces': (text) => parseLenient(`{"a": ${text}`, { listOf: 'a' }),
  readVerdictReply,
  conform: (text) => validateItems(list, { a: text.split(/(?<=\W)/).slice(0, 2000) }),
  'csv-parse': (text) =>
    parseCsv(text, { columns: true, info: true, skip_empty_lines: true, relax_column_count: true }),
  sentences,
  tokens: (text) => tokenizer('o200k_base').encode(text),
  'tokens and back': (text) => tokenizer('cl100k_base').decode(tokenizer('cl100k_base').encode(text)),
  'extractive: a text': read,
  'extractive: answer': (text) => reply('answer-question', { question: 'Who met Bob?', context: text, style: 'short' }),
  'extractive: answer to it': (text) => reply('answer-question', { question: text, context: passage, style: 'short' }),
  'extractive: choice': (text) => reply('answer-choice', { question: 'Who?', context: text, options: ['word', text] }),
  'extractive: claims': (text) => reply('decompose-claims', { text }),
  'extractive: entities': (text) => reply('extract-entities', { text }),
  'extractive: question': (text) => reply('question-of-answer', { answer: text, index: 0 }),
  'extractive: summary': (text) => reply('summarise', { texts: [text], tokens: 50 }),
  'extractive: triples': (text) => reply('extract-triples', { passage: text, entities: ['a'] }),
  'extractive: verdict on it': (text) => reply('verify-claims', { claims: [text], context: passage }),
  'extractive: verdict by it': (text) => reply('verify-claims', { claims: ['a word'], context: text }),
}

/** Reads a text; many are malformed, and to say so is right. */
const attempt = (read: Read, text: string) => (): void => {
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

/** The texts of which four times the length takes much more than four times the time. */
const superlinear = (read: Read, size: number): string[] =>
  Object.entries(hostileTexts).flatMap(([name, make]) => {
    const { isSuperlinear, message: said } = growth(attempt(read, make(size)), attempt(read, make(4 * size)))
    return isSuperlinear ? [`${name}: ${said}`] : []
  })

describe('takes linear time on any text', () => {
  test.each(Object.keys(quick))('%s', (name) => {
    expect(superlinear(quick[name]!, 4096)).toEqual([])
  })
  test.each(Object.keys(slow))('%s', (name) => {
    expect(superlinear(slow[name]!, 512)).toEqual([])
  })
})

test('reports broken JSON that is too long to repair', () => {
  expect(parseLenient(`[${'NaN '.repeat(32_768)}}`, 'list')).toEqual({
    outcome: 'failed',
    reason: 'the reply is broken JSON of 131074 characters, and no more than 65536 are repaired',
  })
})
