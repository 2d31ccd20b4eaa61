import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Corpus, Document, Question } from '../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/records.ts'
import { officialFile, ofFolder, split } from './shared/official-file.ts'
import { type BadRecords, countedCorpora } from './shared/reading.ts'

const release = 'QuALITY v1.0.1 (one object per article and writer)'

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

type Options = z.output<typeof options>

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
  article: words,
  questions: z.array(question),
})

type Line = z.output<typeof line>

/**
 * QuALITY (Pang et al., 2022): one corpus per article, in the order of its first line, with the questions of all its
 * lines. Labels become 0-based; `hard` marks the questions that most annotators missed at speed, `set:…` the line that
 * a question came from.
 */
export const quality = defineDataset({
  name: 'quality',
  summary: 'Multiple-choice questions about long stories and articles, with a HARD subset.',
  source: 'https://github.com/nyu-mll/quality',
  licence:
    "articles: each record's own (mostly Project Gutenberg); annotations: none stated in the repository, commonly cited as CC BY 4.0",
  layout: '`QuALITY.v1.0.1.htmlstripped.{train,dev}`, else the HTML form `QuALITY.v1.0.1.{train,dev}`',
  options,
  evidence: false,
  files: async (path, chosen) => [await fileOf(path, chosen)],
  unused: ofFolder('split'),
  corpora: (path, chosen, onBadRecord) =>
    countedCorpora(path, onBadRecord, async function* ({ bad }) {
      const file = await fileOf(path, chosen)
      const corpora = new Map<string, { document: Document; questions: Question[] }>()
      for (const read of await chosenLines(file, chosen.lines, bad)) {
        const text = plainText(read.article)
        const known = corpora.get(read.article_id)
        // two writers asked about one article; should its text ever differ between their lines, each keeps its own
        const id = known && known.document.text !== text ? read.set_unique_id : read.article_id
        const corpus = corpora.get(id) ?? { document: { id, text, title: read.title.trim() }, questions: [] }
        corpus.questions.push(...read.questions.map((asked) => toQuestion(asked, read)))
        corpora.set(id, corpus)
      }
      for (const [id, { document, questions }] of corpora)
        yield { id, documents: [document], questions } satisfies Corpus
    }),
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

const fileOf = (path: string, { split }: Options): Promise<string> =>
  officialFile(path, [`QuALITY.v1.0.1.htmlstripped.${split}`, `QuALITY.v1.0.1.${split}`], 'quality')

async function chosenLines(file: string, lines: string, bad: BadRecords): Promise<readonly Line[]> {
  const [first = 0, last = Infinity] = lines === 'all' ? [] : lines.split('..').map(Number)
  if (first > last) throw new UserError(`quality: lines ${lines}: write the smaller number first`)
  const chosen: Line[] = []
  let count = 0
  let shapeless = 0
  for await (const record of jsonRecords(file, bad)) {
    // a line whose JSON cannot be read counts as a line, too
    const at = count + bad.count() - shapeless
    if (at >= first && at <= last) {
      const read = bad.attempt(() => toLine(record.value, `${file}:${record.line}`))
      if (read) chosen.push(read)
      else shapeless++
    }
    count++
  }
  count += bad.count() - shapeless
  if (Number.isFinite(last) && last >= count)
    throw new UserError(`${file}: lines ${lines} are outside the file, which has ${count} lines, counted from 0`)
  return chosen
}

function toLine(value: unknown, where: string): Line {
  if (isObject(value) && 'question1' in value)
    throw new UserError(
      `${where}: this is the flat form used before the release (question1, question1option1, …); expected ${release}`,
    )
  if (
    isObject(value) &&
    Array.isArray(value.questions) &&
    value.questions.some((one) => isObject(one) && !('gold_label' in one))
  )
    throw new UserError(
      `${where}: questions without gold_label, as in the test split, cannot be scored; take train or dev`,
    )
  return shape(line, value, where, release)
}

const toQuestion = (asked: z.output<typeof question>, { set_unique_id, article_id }: Line): Question => ({
  id: asked.question_unique_id,
  text: asked.question.trim(),
  reference: { kind: 'choice', options: asked.options.map((option) => option.trim()), correct: asked.gold_label - 1 },
  tags: [`set:${set_unique_id}`, ...(asked.difficult === 1 ? ['hard'] : [])],
  cluster: article_id,
})

/**
 * An article as plain text. One that begins as HTML, be it with a comment, loses its markup the way QuALITY v1.0.1
 * strips it: breaks and paragraphs become line breaks (our reading; words agree with the stripped release, white space
 * need not). Any other text stays but for its ends. Time is linear in the length.
 */
export function plainText(article: string): string {
  const text = article.trim()
  if (!/^<(?:!doctype|!--|html|[a-z][a-z0-9]*[\s/>])/i.test(text)) return text
  const flat = withoutUnseen(text).replace(/\s+/g, ' ')
  // behind the last ">" no tag ends, and looking for its end at every "<" would take quadratic time
  const markup = flat.lastIndexOf('>') + 1
  const written = flat
    .slice(0, markup)
    .replace(/<br\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:p|div|h[1-6]|hr|li|ul|ol|pre|blockquote)\b[^>]*>/gi, '\n\n')
    .replace(/<[/!a-z][^>]*>/gi, '')
  return (written + flat.slice(markup))
    .replace(/&(?:lt|gt|quot|nbsp|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The text with a space for every comment and every element that is not read as text; one that never ends stays. */
function withoutUnseen(text: string): string {
  const pieces: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  const opening = /<!--|<(head|table|script|style)\b/gi
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const name = found[1]?.toLowerCase() ?? 'comment'
    if (unclosed.has(name)) continue
    const close = closing[name] ?? /-->/g
    close.lastIndex = opening.lastIndex
    if (close.test(text)) {
      pieces.push(text.slice(from, found.index), ' ')
      from = opening.lastIndex = close.lastIndex
    } else unclosed.add(name)
  }
  return pieces.join('') + text.slice(from)
}

const closing: Readonly<Record<string, RegExp>> = {
  head: /<\/head\s*>/gi,
  table: /<\/table\s*>/gi,
  script: /<\/script\s*>/gi,
  style: /<\/style\s*>/gi,
}

// the release's markup was written by a serializer that escapes no more than these
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
  '&amp;': '&',
}
