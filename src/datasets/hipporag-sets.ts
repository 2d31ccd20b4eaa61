import { z } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { corpusFile, passage, passagesFile, passagesIn } from './shared/multihop.ts'
import { officialFile } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({ corpusFile })

/** A question as all these sets have it; `paragraphs` is absent where a file has none. */
interface Item {
  readonly id: string
  readonly question: string
  readonly answers: readonly string[]
  readonly paragraphs?: readonly Paragraph[] | undefined
  /** The titles of the passages that support the answer, where a file gives these in place of paragraphs. */
  readonly titles?: readonly string[]
  readonly tags: readonly string[]
}

interface Paragraph {
  readonly title: string
  readonly text: string
  readonly supports: boolean
}

/** How one of the sets is published. */
interface Published {
  readonly name: string
  readonly summary: string
  readonly source: string
  readonly licence: string
  /** The name that HippoRAG gives its files. */
  readonly stem: string
  readonly form: z.ZodType<Item>
  readonly release: string
  /** Separator between two sentences of a passage. */
  readonly joint?: string
  readonly notes?: readonly string[]
  readonly evidence?: 'some'
  readonly withoutAnswers?: true
  /** Whether results of fast-graphrag are read, too. */
  readonly results?: true
}

/** A record of fast-graphrag's results, of which the question and the titles that support its answer are read. */
const ofFastGraphrag: z.ZodType<Item> = z
  .object({ question: words, ground_truth: z.array(words).min(1) })
  .transform(({ question, ground_truth: titles }) => ({ id: question, question, answers: [], titles, tags: [] }))

/** A set of questions over one corpus of passages, each distinct title and text once, as published with HippoRAG. */
const hippoRagDataset = ({ stem, form, results, release, joint, notes, evidence, ...rest }: Published) =>
  publishedDataset({
    ...rest,
    layout: `\`${stem}.json\` and \`${stem}_corpus.json\` of HippoRAG`,
    options,
    evidence: evidence ?? true,
    answers: 'short',
    async files(path, { corpusFile: passages }) {
      const questions = await officialFile(path, [`${stem}.json`], null)
      return [questions, ...(await passagesFile(questions, passages))]
    },
    async *corpora({ files: [questionFile, corpus], bad }) {
      const documents = new Map<string, Document>()
      const questions: Question[] = []
      const byTitles: { readonly item: Item; readonly titles: readonly string[]; readonly place: number }[] = []
      for await (const { value: raw, part } of recordsOf(questionFile, z.unknown(), release, bad)) {
        const item = part(results && isObject(raw) && 'ground_truth' in raw ? ofFastGraphrag : form, raw)
        if (item?.titles) byTitles.push({ item, titles: item.titles, place: questions.length })
        if (!item) continue
        const paragraphs = item.paragraphs?.map(({ title, text, supports }) => ({ ...passage(title, text), supports }))
        const supporting = paragraphs?.filter(({ supports }) => supports)
        questions.push(questionOf(item, supporting))
        for (const { supports: _, ...document } of corpus === undefined ? (paragraphs ?? []) : (supporting ?? []))
          documents.set(document.id, document)
      }
      if (corpus === undefined && documents.size === 0)
        throw new UserError(`${questionFile}: has no passages to search; name a file of them with "corpusFile"`)
      const joining = joint === undefined ? {} : { joint }
      const pool =
        corpus === undefined
          ? documents
          : await passagesIn(corpus, documents, { questions: questionFile, bad, ...joining })
      const byTitle = groupBy(pool.values(), ({ title = '' }) => title)
      for (const { item, titles, place } of byTitles)
        questions[place] = questionOf(
          item,
          titles.flatMap((title) => {
            const passages = byTitle.get(title)
            if (passages) return passages
            throw new UserError(
              `${corpus ?? questionFile}: has no passage "${title}", which supports the answer to ${JSON.stringify(item.question)}`,
            )
          }),
        )
      yield { id: rest.name, documents: [...pool.values()], questions, answerable: true, ...(notes && { notes }) }
    },
  })

function questionOf(
  { id, question, answers, tags }: Item,
  supporting: readonly Pick<Document, 'id'>[] | undefined,
): Question {
  const texts = new Set(answers.map((answer) => answer.trim()).filter((text) => text !== ''))
  const ids = new Set(supporting?.map(({ id }) => id))
  return {
    id,
    text: question.trim(),
    reference: { kind: 'answer', accepted: Array.from(texts, (text) => ({ text })) },
    ...(supporting && { evidence: Array.from(ids, (documentId) => ({ documentId })) }),
    ...(tags.length > 0 && { tags }),
  }
}

const idText = z.union([words, z.int()]).transform(String)

/** 2WikiMultihopQA and HotpotQA: paragraphs in sentences, and sentences that support the answer, by title and place. */
const bySentences = (joint: string): z.ZodType<Item> =>
  z
    .object({
      _id: words,
      type: z.string(),
      question: words,
      answer: words,
      context: z.array(z.tuple([z.string(), z.array(z.string())])).min(1),
      supporting_facts: z.array(z.tuple([z.string(), z.int()])).min(1),
    })
    .check(({ value, issues }) => {
      const titles = new Set(value.context.map(([title]) => title))
      const absent = value.supporting_facts.find(([title]) => !titles.has(title))
      if (absent)
        issues.push({
          code: 'custom',
          input: value,
          path: ['supporting_facts'],
          message: `"${absent[0]}" is not a paragraph of its question`,
        })
    })
    .transform(({ _id, type, context, supporting_facts, ...rest }) => {
      const titles = new Set(supporting_facts.map(([title]) => title))
      return {
        id: _id,
        question: rest.question,
        answers: [rest.answer],
        tags: [type],
        paragraphs: context.map(([title, sentences]) => ({
          title,
          text: sentences.join(joint),
          supports: titles.has(title),
        })),
      }
    })

export const twoWiki = hippoRagDataset({
  name: '2wikimultihopqa',
  summary:
    'Questions of two to four hops over Wikipedia, composed from its facts, with the paragraphs that support them.',
  source: 'https://github.com/Alab-NII/2wikimultihop',
  licence: 'Apache 2.0; paragraphs: Wikipedia, CC BY-SA',
  stem: '2wikimultihopqa',
  form: bySentences(' '),
  results: true,
  release: '2WikiMultihopQA (context and supporting_facts), or results of fast-graphrag (question and ground_truth)',
  withoutAnswers: true,
})

export const hotpotQa = hippoRagDataset({
  name: 'hotpotqa',
  summary: 'Questions of two hops over Wikipedia, bridges and comparisons, with the paragraphs that support them.',
  source: 'https://hotpotqa.github.io',
  licence: 'CC BY-SA 4.0',
  stem: 'hotpotqa',
  form: bySentences(''),
  release: 'HotpotQA (context and supporting_facts)',
  joint: '',
})

const passageList = z.array(z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() })).min(1)

const toParagraphs = (paragraphs: z.output<typeof passageList>): readonly Paragraph[] =>
  paragraphs.map(({ title, text, is_supporting }) => ({ title, text, supports: is_supporting }))

/** JSON that is written as a string: a list of texts. */
const listInText = z.string().transform((text, { issues }) => {
  try {
    return z.array(z.string()).parse(JSON.parse(text))
  } catch {
    issues.push({ code: 'custom', input: text, message: 'is not a JSON list of texts' })
    return z.NEVER
  }
})

export const popQa = hippoRagDataset({
  name: 'popqa',
  summary:
    'Questions of one fact of Wikidata each, about subjects of all popularities; all names of the object are right.',
  source: 'https://github.com/AlexTMallen/adaptive-retrieval',
  licence: 'MIT; paragraphs: Wikipedia, CC BY-SA',
  stem: 'popqa',
  form: z
    .object({ id: idText, question: words, prop: z.string(), possible_answers: listInText, paragraphs: passageList })
    .transform(({ id, question, prop, possible_answers, paragraphs }) => ({
      id,
      question,
      answers: possible_answers,
      tags: [prop],
      paragraphs: toParagraphs(paragraphs),
    })),
  release: 'PopQA with the paragraphs of HippoRAG',
  notes: [
    'popqa marks the paragraph of the subject and that of the object as evidence; the answer stands in the first, and the second serves many questions: recall over both says little of either',
  ],
})

export const nq = hippoRagDataset({
  name: 'nq',
  summary:
    'Questions that people asked a search engine, with all answers that count; the passages are a file beside them.',
  source: 'https://ai.google.com/research/NaturalQuestions',
  licence: 'CC BY-SA 3.0',
  stem: 'nq_rear',
  form: z.union([
    z
      .object({ id: idText, question: words, golden_answers: z.array(words).min(1) })
      .transform(({ id, question, golden_answers }): Item => ({ id, question, answers: golden_answers, tags: [] })),
    z
      .object({ id: idText.optional(), question: words, reference: z.array(words).min(1), contexts: passageList })
      .transform(({ id, question, reference, contexts }): Item => ({
        id: id ?? question,
        question,
        answers: reference,
        tags: [],
        paragraphs: toParagraphs(contexts),
      })),
  ]),
  release: 'Natural Questions of HippoRAG (reference, contexts) or FlashRAG (id, golden_answers)',
  evidence: 'some',
})
