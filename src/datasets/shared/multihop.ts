import { basename, dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { recordsOf } from '../../formats/records.ts'
import type { Document, Hop, Question } from '../../types.ts'
import { documentId } from './document-of-record.ts'
import { exists } from './official-file.ts'
import type { Counting } from './published-dataset.ts'

export const corpusFile = z
  .string()
  .nullable()
  .default(null)
  .describe(
    'File of the searched passages {title, text}, relative to the questions; null: X_corpus.json next to X.json, else the paragraphs of the questions',
  )

/** The file of passages that the option names, or that is beside the questions. Throws UserError. */
export async function passagesFile(questions: string, name: string | null): Promise<readonly string[]> {
  const beside = name ?? basename(questions, '.gz').replace('.', '_corpus.')
  const passages = isAbsolute(beside) ? beside : join(dirname(questions), beside)
  for (const file of [passages, `${passages}.gz`]) {
    if (await exists(file)) return [file]
  }
  if (name !== null) throw new UserError(`${passages}: no such file; correct the option "corpusFile"`)
  return []
}

interface Paragraph {
  readonly title: string
  readonly text: string
}

/** A question as all sets of this kind have it. */
export interface MultihopItem {
  readonly id: string
  readonly question: string
  readonly answers: readonly string[]
  readonly tags: readonly string[]
  /** Absent where the file of questions has none. */
  readonly paragraphs?: readonly Paragraph[]
  /** The paragraphs that support the answer. */
  readonly supporting?: readonly Paragraph[]
  readonly titles?: readonly string[]
  readonly hops?: readonly { readonly question: string; readonly answer: string; readonly paragraph?: Paragraph }[]
}

/** How a set is published. */
export interface MultihopForm {
  /** Gives undefined for an unanswerable question. */
  readonly form: z.ZodType<MultihopItem | undefined>
  /** Separator between two sentences of a passage. */
  readonly joint?: string
  /** Whether supporting paragraphs alone are searched. */
  readonly onlyGold?: boolean
}

/**
 * The questions of a file, and the distinct passages to search: of the second file, else of the questions. Throws
 * UserError for what is malformed. Evidence that is no passage is refused with the corpus (`checkedCorpora`).
 */
export async function multihopCorpus(
  files: readonly [questions: string, passages?: string, ...rest: string[]],
  { form, joint = ' ', onlyGold = false }: MultihopForm,
  { bad, leftOut }: Omit<Counting, 'holds'>,
): Promise<{ readonly documents: readonly Document[]; readonly questions: readonly Question[] }> {
  const [questionFile, passageFile] = files
  const passages = new Map<string, Document>()
  const items: MultihopItem[] = []
  for await (const { value } of recordsOf(questionFile, form, bad)) {
    if (!value) {
      leftOut('unanswerable questions')
      continue
    }
    const { paragraphs = [], ...item } = value
    items.push(item)
    if (passageFile === undefined) addAll(passages, onlyGold ? (item.supporting ?? []) : paragraphs)
  }
  if (passageFile !== undefined)
    for await (const { value } of recordsOf(passageFile, passageForm(joint), bad)) addAll(passages, value)
  if (passages.size === 0 && passageFile === undefined)
    throw new UserError(`${questionFile}: has no passages to search; name a file of them with "corpusFile"`)
  const byTitle = groupBy(passages.values(), ({ title = '' }) => title)
  const idsOf = ({ titles, supporting }: MultihopItem) =>
    titles?.flatMap((title) => byTitle.get(title)?.map(({ id }) => id) ?? title) ??
    supporting?.map((paragraph) => passage(paragraph).id)
  return { documents: [...passages.values()], questions: items.map((item) => questionOf(item, idsOf(item))) }
}

function addAll(passages: Map<string, Document>, paragraphs: readonly Paragraph[]) {
  for (const document of paragraphs.map(passage)) passages.set(document.id, document)
}

function passage({ title, text: paragraph }: Paragraph): Document {
  const text = `${title}\n${paragraph}`
  return { id: documentId(text), text, title }
}

function questionOf(item: MultihopItem, evidence: readonly string[] | undefined): Question {
  const texts = item.answers.map((answer) => answer.trim())
  const answers = new Set(texts.filter((text) => text !== ''))
  const decomposition = item.hops?.map(({ paragraph, ...hop }): Hop => {
    return paragraph ? { ...hop, documentId: passage(paragraph).id } : hop
  })
  return {
    id: item.id,
    text: item.question.trim(),
    reference: { kind: 'answer', accepted: Array.from(answers, (text) => ({ text })) },
    ...(evidence && { evidence: Array.from(new Set(evidence), (documentId) => ({ documentId })) }),
    ...(decomposition && { decomposition }),
    ...(item.tags.length > 0 && { tags: item.tags }),
  }
}

const passageForm = (joint: string): z.ZodType<readonly Paragraph[]> =>
  z
    .union([
      z.object({ title: z.string(), text: z.string() }).transform((paragraph) => [paragraph]),
      z
        .record(z.string(), z.array(z.string()))
        .transform((titles) =>
          Object.entries(titles).map(([title, sentences]) => ({ title, text: sentences.join(joint) })),
        ),
    ])
    .describe("HippoRAG's corpus (passages of title and text)")
