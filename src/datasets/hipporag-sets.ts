import { z } from 'zod'
import { words } from '../formats/records.ts'
import { jsonIn } from '../text/json.ts'
import type { Dataset } from '../types.ts'
import { corpusFile, multihopCorpus, passagesFile, type MultihopForm, type MultihopItem } from './shared/multihop.ts'
import { officialFile } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'

interface Published extends MultihopForm, Pick<Dataset, 'name' | 'summary' | 'source' | 'licence' | 'withoutAnswers'> {
  /** How the names of its files begin, where not with its own. */
  readonly stem?: string
  readonly evidence?: 'some'
}

/** A set in the form in which HippoRAG publishes it. */
const hippoRagDataset = ({ form, joint = ' ', stem, ...fields }: Published) => {
  const file = `${stem ?? fields.name}.json`
  return publishedDataset({
    evidence: true,
    ...fields,
    layout: `\`${file}\` and \`${file.replace('.', '_corpus.')}\` of HippoRAG`,
    options: z.strictObject({ corpusFile }),
    answers: 'short',
    async files(path, { corpusFile: passages }): Promise<readonly [questions: string, ...passages: string[]]> {
      const questions = await officialFile(path, [file], null)
      return [questions, ...(await passagesFile(questions, passages))]
    },
    async *corpora({ files, ...counting }) {
      const read = await multihopCorpus(files, { form, joint }, counting)
      yield { id: fields.name, ...read, answerable: true }
    },
  })
}

const bySentences = (joint: string): z.ZodType<MultihopItem> =>
  z
    .object({
      _id: words,
      type: z.string(),
      question: words,
      answer: words,
      context: z.array(z.tuple([z.string(), z.array(z.string())])).min(1),
      supporting_facts: z.array(z.tuple([z.string(), z.int()])).min(1),
    })
    .transform(({ _id: id, type, question, answer, context, supporting_facts: facts }, { issues }) => {
      const paragraphs = context.map(([title, sentences]) => ({ title, text: sentences.join(joint) }))
      const factTitles = new Set(facts.map(([title]) => title))
      const supporting = paragraphs.filter(({ title }) => factTitles.has(title))
      for (const { title } of supporting) factTitles.delete(title)
      const message = `"${[...factTitles].join('", "')}" is not a paragraph of its question`
      if (factTitles.size > 0) issues.push({ code: 'custom', input: facts, path: ['supporting_facts'], message })
      return { id, question, answers: [answer], tags: [type], paragraphs, supporting }
    })

const ofFastGraphrag = z
  .object({ question: words, ground_truth: z.array(words).min(1) })
  .transform(({ question, ground_truth: titles }) => ({ id: question, question, answers: [], titles, tags: [] }))

export const twoWiki = hippoRagDataset({
  name: '2wikimultihopqa',
  summary:
    'Questions of two to four hops over Wikipedia, composed from its facts, with the paragraphs that support them.',
  source: 'https://github.com/Alab-NII/2wikimultihop',
  licence: 'Apache 2.0; paragraphs: Wikipedia, CC BY-SA',
  form: z
    .union([bySentences(' '), ofFastGraphrag])
    .describe(
      '2WikiMultihopQA (context and supporting_facts), or results of fast-graphrag (question and ground_truth)',
    ),
  withoutAnswers: true,
})

export const hotpotQa = hippoRagDataset({
  name: 'hotpotqa',
  summary: 'Questions of two hops over Wikipedia, bridges and comparisons, with the paragraphs that support them.',
  source: 'https://hotpotqa.github.io',
  licence: 'CC BY-SA 4.0',
  joint: '',
  form: bySentences('').describe('HotpotQA (context and supporting_facts)'),
})

const idText = z.union([words, z.int()]).transform(String)

const markedParagraphs = z
  .array(z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() }))
  .min(1)
  .transform((paragraphs) => ({ paragraphs, supporting: paragraphs.filter((paragraph) => paragraph.is_supporting) }))

/** JSON that is written as a string: a list of texts. */
const listInText = z
  .string()
  .transform((text) => jsonIn(text) ?? text)
  .pipe(z.array(z.string(), 'is not a JSON list of texts'))

export const popQa = hippoRagDataset({
  name: 'popqa',
  summary:
    'Questions of one fact of Wikidata each, about subjects of all popularities; all names of the object are right.',
  source: 'https://github.com/AlexTMallen/adaptive-retrieval',
  licence: 'MIT; paragraphs: Wikipedia, CC BY-SA',
  form: z
    .object({
      id: idText,
      question: words,
      prop: z.string(),
      possible_answers: listInText,
      paragraphs: markedParagraphs,
    })
    .transform(({ id, question, prop, possible_answers: answers, paragraphs }) => {
      return { id, question, answers, tags: [prop], ...paragraphs }
    })
    .describe('PopQA with the paragraphs of HippoRAG'),
})

const ofFlashRag = z
  .object({ id: idText, question: words, golden_answers: z.array(words).min(1) })
  .transform(({ id, question, golden_answers: answers }) => ({ id, question, answers, tags: [] }))

const ofHippoRag = z
  .object({ id: idText.optional(), question: words, reference: z.array(words).min(1), contexts: markedParagraphs })
  .transform(({ id, question, reference: answers, contexts }) => {
    return { id: id ?? question, question, answers, tags: [], ...contexts }
  })

export const nq = hippoRagDataset({
  name: 'nq',
  summary:
    'Questions that people asked a search engine, with all answers that count; the passages are a file beside them.',
  source: 'https://ai.google.com/research/NaturalQuestions',
  licence: 'CC BY-SA 3.0',
  stem: 'nq_rear',
  form: z
    .union([ofFlashRag, ofHippoRag])
    .describe('Natural Questions of HippoRAG (reference, contexts) or FlashRAG (id, golden_answers)'),
  evidence: 'some',
})
