import { z } from 'zod'
import { sentences } from '../text/sentences.ts'
import { halvesBy, jsonOnly, jsonTask, samples, textTask } from './task.ts'
import { questionsAbout } from './stand-ins/facts.ts'
import { read } from './stand-ins/reading.ts'
import { shorten } from './stand-ins/summaries.ts'

/** Small models count words better than tokens; English has about three words per four tokens. */
const WORDS_PER_TOKEN = 0.75

/** One summary of several texts (GEM-RAG: eigenthemes; RAPTOR: clusters, "as many key details as possible"). */
export const summarise = textTask({
  name: 'summarise',
  sample: {
    texts: [
      'The lighthouse on the western cape was built in 1871. A company from Leith supplied the lamp.',
      'The keeper and his daughter lived there for thirty years. In winter no boat could reach them.',
    ],
    tokens: 40,
  },
  replyTokens: ({ tokens }) => tokens,
  offline: ({ texts, tokens }, count) => shorten(texts.flatMap(read), tokens, count),
  system: [
    `You write summaries. Keep as many key details as fit: who, what, when, where, how much, and why.
Write plain sentences that can be understood without the texts. Add nothing that the texts do not say. Reply with the summary alone.`,
    ({ texts }) => `Texts:\n${texts.map((text) => text.replace(/\s+/g, ' ').trim()).join('\n\n')}`,
  ],
  user: ({ tokens }) =>
    `Summarise these texts as one, in at most ${tokens} tokens (about ${Math.max(1, Math.floor(tokens * WORDS_PER_TOKEN))} words).`,
})

/** Questions that a text can answer: its utility (GEM-RAG, section III). */
export const utilityQuestions = jsonTask({
  name: 'utility-questions',
  sample: {
    text: samples.keeper,
    count: 3,
  },
  replyTokens: ({ count }) => 14 * count,
  output: z.array(z.string().trim().min(1)),
  halves: ({ text, count }) =>
    count < 2
      ? undefined
      : [
          { text, count: Math.ceil(count / 2) },
          { text, count: Math.floor(count / 2) },
        ],
  joined: (first, second) => [...new Set([...first, ...second])],
  offline: ({ text, count }) =>
    questionsAbout(text)
      .slice(0, count)
      .map(({ question }) => question),
  system: [
    `You write questions that a text can answer. Each question can be answered from the text alone, asks for something else than the others, and names what it is about instead of saying "the text" or "he".
Reply with a JSON list of strings and nothing else, for example:
["Who built the mill at Arden?", "Why was the mill closed?"]`,
    'Text:\n{{text}}',
  ],
  user: ({ count }) => `Write ${count} ${count === 1 ? 'question' : 'questions'} that this text can answer.`,
})

/** A line about the place of a chunk in its document (Anthropic 2024, contextual retrieval). */
export const situateChunk = textTask({
  name: 'situate-chunk',
  sample: {
    document: 'The lighthouse on Cape Wrath was planned by Robert Stevenson. It was built in 1828.',
    chunk: 'It was built in 1828.',
  },
  replyTokens: () => 60,
  // the document comes first, so that a server with a prefix cache reads it once for all chunks
  system: [
    'You write one or two sentences that say where a part of a document stands in it and what the part is about, naming what it refers to, so that a search finds it. Reply with these sentences alone, in the language of the document.',
    'Document:\n{{document}}',
  ],
  user: 'Part of the document:\n{{chunk}}',
  maxTokens: 160,
  offline: ({ document }) => sentences(document)[0]?.text.slice(0, 300) ?? document.slice(0, 300),
})

/** The facts of a text as self-contained sentences (Chen et al. 2024, Dense X, section 2). */
export const listPropositions = jsonTask({
  name: 'list-propositions',
  sample: { text: 'The lighthouse on Cape Wrath was planned by Robert Stevenson. It was lit in 1828 and is white.' },
  replyTokens: ({ text }) => text.length / 3,
  output: z.array(z.string().trim().min(1)),
  halves: halvesBy('text'),
  system: `You take a text apart into propositions. Each is one fact in one plain sentence, cannot be split further, and can be understood without the text: names stand in place of pronouns, and what the fact depends on, such as a year or a place, stands in it. Together they say all that the text says; add nothing. Keep the language of the text.
Reply with a JSON list of strings and nothing else, for example:
["Arden Mill was built by Tom Reed.", "Arden Mill was built in 1790."]`,
  user: '{{text}}',
  maxTokens: 1024,
  offline: ({ text }) => sentences(text).map((sentence) => sentence.text),
})

const field = z.string().trim()

/** Drafts a question with a short answer and its supporting sentence from a part of a document. */
export const draftQuestion = jsonTask({
  name: 'draft-question',
  sample: {
    text: 'The lighthouse on the western cape was built in 1871. The keeper lit the lamp every evening.',
    already: ['Who lit the lamp on the western cape?'],
  },
  replyTokens: () => 80,
  whole: true,
  output: z.object({ question: field, answer: field, evidence: field }),
  offline({ text, already }) {
    const previousQuestions = new Set(already.map((question) => question.toLowerCase()))
    const drafts = questionsAbout(text).filter(({ answer }) => answer !== '')
    const newDraft = drafts.find(({ question }) => !previousQuestions.has(question.toLowerCase()))
    return newDraft ?? { question: '', answer: '', evidence: '' }
  },
  system: [
    `You write questions that test a search over documents. From the text below, write one question with its answer.
The question asks for one fact, has one answer, and names what it is about, so that it can be understood without the text: it does not say "the text", "this section" or "he".
The answer is as short as possible: a name, a number, a date or a few words.
The evidence is the one sentence of the text that gives the answer, copied word for word.
${jsonOnly}, for example:
{"question": "Who built Arden Mill?", "answer": "John Bell", "evidence": "Arden Mill was built by John Bell in 1790."}
If the text holds no fact to ask about, reply with {"question": "", "answer": "", "evidence": ""}`,
    'Text:\n{{text}}',
    ({ already }) => (already.length > 0 ? `Ask for another fact than these questions:\n${already.join('\n')}` : ''),
  ],
  user: 'Write one question, its answer and its evidence.',
  maxTokens: 512,
})

/** A question, its answer and the sentence that supports it; all empty if the text has no fact to ask about. */
export type DraftedQuestion = Readonly<z.output<typeof draftQuestion.output>>
