import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { officialFile, split } from './shared/official-file.ts'
import { type MalformedRecords, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  split: split(['train', 'dev', 'test'], 'dev'),
  lines: z
    .string()
    .regex(/^(all|\d+\.\.\d+)$/, 'must be all, or two line numbers such as 50..229')
    .default('all')
    .describe(
      'Lines of the file to use, counted from 0, both ends included; GEM-RAG uses lines 0..49 of dev for ablations and 50..229 for results',
    ),
})

const question = z.object({
  question: z.string(),
  question_unique_id: z.string(),
  options: z.array(z.string()).length(4, 'must have 4 options'),
  gold_label: z.int('must be 1, 2, 3 or 4').min(1, 'must be 1, 2, 3 or 4').max(4, 'must be 1, 2, 3 or 4'),
  difficult: z.literal([0, 1]),
})

const line = z.object({
  article_id: z.string(),
  set_unique_id: z.string(),
  title: z.string(),
  article: words.regex(/^(?!\s*<(?:!doctype|!--|html|body|p>))/i, 'is HTML; take the file named "htmlstripped"'),
  questions: z.array(question),
})

/** Lines beside the chosen ones may be malformed. */
const anyLine = z
  .unknown()
  .describe('QuALITY v1.0.1, train or dev (one object per article and writer; the test split has no labels)')

/** QuALITY (Pang et al., 2022): one corpus per article. `hard`: most missed it at speed; `set:…`: its line. */
export const quality = publishedDataset({
  name: 'quality',
  summary: 'Multiple-choice questions about long stories and articles, with a HARD subset.',
  source: 'https://github.com/nyu-mll/quality',
  licence:
    "articles: each record's own (mostly Project Gutenberg); annotations: none stated in the repository, commonly cited as CC BY 4.0",
  layout: '`QuALITY.v1.0.1.htmlstripped.{train,dev}`',
  options,
  files: async (path, { split }) => [await officialFile(path, [`QuALITY.v1.0.1.htmlstripped.${split}`], 'quality')],
  async *corpora({ files: [file], options: { lines }, bad }) {
    const corpora = new Map<string, { document: Document; questions: Question[] }>()
    for await (const { article, article_id, set_unique_id, title, questions } of chosenLines(file, lines, bad)) {
      const text = article.trim()
      const first = corpora.get(article_id)
      // two writers wrote questions on one article; if its text ever differs between their lines, each keeps its own
      const id = first && first.document.text !== text ? set_unique_id : article_id
      const corpus = corpora.get(id) ?? { document: { id, text, title: title.trim() }, questions: [] }
      corpus.questions.push(...questions.map((question) => toQuestion(question, set_unique_id, article_id)))
      corpora.set(id, corpus)
    }
    for (const [id, { document, questions }] of corpora) yield { id, documents: [document], questions }
  },
  download: {
    files: [
      {
        url: 'https://github.com/nyu-mll/quality/raw/main/data/v1.0.1/QuALITY.v1.0.1.zip',
        name: 'QuALITY.v1.0.1.zip',
        unpack: { format: 'zip', members: ['QuALITY.v1.0.1.htmlstripped.train', 'QuALITY.v1.0.1.htmlstripped.dev'] },
      },
    ],
    note: 'The test split has no labels: only the official leaderboard scores it.',
  },
})

async function* chosenLines(file: string, lines: string, bad: MalformedRecords) {
  const [first = 0, last = Infinity] = lines === 'all' ? [] : lines.split('..').map(Number)
  if (first > last) throw new UserError(`quality: lines ${lines}: write the smaller number first`)
  let count = 0
  for await (const { value, number, part } of recordsOf(file, anyLine, bad)) {
    count = number
    const read = number > first && number <= last + 1 ? part(line, value) : undefined
    if (read) yield read
  }
  if (Number.isFinite(last) && last >= count)
    throw new UserError(`${file}: lines ${lines} are outside the file, which has ${count} lines, counted from 0`)
}

const toQuestion = (read: z.output<typeof question>, writer: string, article: string): Question => ({
  id: read.question_unique_id,
  text: read.question.trim(),
  reference: { kind: 'choice', options: read.options.map((option) => option.trim()), correct: read.gold_label - 1 },
  tags: [`set:${writer}`, ...(read.difficult === 1 ? ['hard'] : [])],
  cluster: article,
})
