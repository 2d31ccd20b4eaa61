import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Document, Question, Hop } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { corpusFile, passage, passagesFile, passagesIn } from './shared/multihop.ts'
import { officialFile, split } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  split: split(['train', 'dev'], 'dev'),
  corpus: z
    .enum(['all', 'gold'])
    .default('all')
    .describe(
      'all: all paragraphs of all questions are searched; gold: supporting paragraphs only, which the token counts of ' +
        "UnWeaver's Table 1 suggest (our reading). Results of the two never share a table",
    ),
  questionFile: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Name of the one file of questions to take from the folder, whatever else lies there; null takes the first that is there of musique_ans_v1.0, ' +
        'musique_full_v1.0 and, for dev, musique.json',
    ),
  corpusFile: corpusFile.describe(`${corpusFile.description ?? ''}; only with corpus: all`),
})

type Options = z.output<typeof options>

/** As released for HippoRAG 2; the digests are those of this revision. */
const hippoRag = 'https://huggingface.co/datasets/osunlp/HippoRAG_2/resolve/5ec05b38deecc3318bb432c69865959c56058990'

/**
 * MuSiQue (Trivedi et al., 2022): one corpus of the paragraphs of all questions, each distinct title and text once,
 * which says in its id whether it is `all` or `gold`. Evidence is the supporting paragraphs, in the order of the hops;
 * the tag `3hop1` is the type of question.
 */
export const musique = publishedDataset({
  name: 'musique',
  summary:
    'Questions of two to four hops over short Wikipedia paragraphs, each with its decomposition into single-hop questions.',
  source: 'https://github.com/StonyBrookNLP/musique',
  licence: 'CC BY 4.0',
  layout:
    '`musique_ans_v1.0_{train,dev}.jsonl`, `musique_full_v1.0_{train,dev}.jsonl`, else `musique.json` and `musique_corpus.json`',
  options,
  evidence: true,
  answers: 'short',
  files: filesOf,
  unused: ([file], path, { questionFile }) => (file === path || questionFile !== null ? ['split', 'questionFile'] : []),
  async *corpora({ files: [questionFile, corpusFile], options: { corpus }, bad, leftOut }) {
    const documents = new Map<string, Document>()
    const questions: Question[] = []
    for await (const { value } of recordsOf(questionFile, item, release, bad)) {
      if (!value.answerable) {
        leftOut('unanswerable questions')
        continue
      }
      const { question, paragraphs, supporting } = toItem(value)
      questions.push(question)
      const additions = corpus === 'gold' || corpusFile !== undefined ? supporting : paragraphs
      for (const document of additions) documents.set(document.id, document)
    }
    const pool =
      corpusFile === undefined ? documents : await passagesIn(corpusFile, documents, { questions: questionFile, bad })
    yield { id: `musique-${corpus}`, documents: [...pool.values()], questions, answerable: true }
  },
  download: {
    files: [
      {
        name: 'musique.json',
        sha256: '98ed4e21d3076532f6388d42320fb809599c63a0d8dffca8ece5e41922be6b46',
        bytes: 12_543_629,
      },
      {
        name: 'musique_corpus.json',
        sha256: '73157a03ce3f0b1a5673dd5dc12bb970c24976dbffc688af9eecdd758c97ffcb',
        bytes: 6_239_261,
      },
    ].map((file) => ({ ...file, url: `${hippoRag}/${file.name}` })),
    note:
      'These are the 1000 questions and 11,656 passages of the HippoRAG papers. The official archive must be downloaded by hand: follow ' +
      'https://github.com/StonyBrookNLP/musique to musique_v1.0.zip and put its musique_ans_v1.0_dev.jsonl into the same folder.',
  },
})

async function filesOf(
  path: string,
  { split, corpus, questionFile, corpusFile: passages }: Options,
): Promise<readonly [questions: string, ...passages: string[]]> {
  const official = ['ans', 'full'].map((part) => `musique_${part}_v1.0_${split}.jsonl`)
  const names = questionFile !== null ? [questionFile] : [...official, ...(split === 'dev' ? ['musique.json'] : [])]
  const download = questionFile === null || questionFile === 'musique.json' ? 'musique' : null
  const questions = await officialFile(path, names, download)
  if (questionFile !== null && ![questionFile, `${questionFile}.gz`].includes(basename(questions)))
    throw new UserError(`${path}: is not the file ${questionFile} of the option "questionFile"; remove one of the two`)
  if (corpus === 'gold') {
    if (passages !== null) throw new UserError('musique: "corpusFile" requires the option "corpus: all"; remove it')
    return [questions]
  }
  return [questions, ...(await passagesFile(questions, passages))]
}

const release = 'MuSiQue v1.0, train or dev (the test split carries no answers)'

const item = z.object({
  id: words,
  question: words,
  paragraphs: z.array(
    z.object({ idx: z.int(), title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
  ),
  question_decomposition: z.array(
    z.object({ question: z.string(), answer: z.string(), paragraph_support_idx: z.int().nullable() }),
  ),
  answer: words,
  answer_aliases: z.array(z.string()),
  answerable: z.boolean().default(true),
})

/** A question, the paragraphs that it came with, and those that it needs, in the order of its hops. */
function toItem(read: z.output<typeof item>) {
  const paragraphs = read.paragraphs.map(({ title, paragraph_text }) => passage(title, paragraph_text))
  const byIndex = new Map(read.paragraphs.map(({ idx }, at) => [idx, paragraphs[at]]))
  const decomposition = read.question_decomposition.map(({ question, answer, paragraph_support_idx }): Hop => {
    const support = paragraph_support_idx === null ? undefined : byIndex.get(paragraph_support_idx)
    return { question, answer, ...(support && { documentId: support.id }) }
  })
  const supportingParagraphs = paragraphs.filter((_, at) => read.paragraphs[at]?.is_supporting)
  const requiredIds = new Set([
    ...decomposition.flatMap((hop) => hop.documentId ?? []),
    ...supportingParagraphs.map(({ id }) => id),
  ])
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]))
  const supporting = [...requiredIds].flatMap((id) => byId.get(id) ?? [])
  const answers = new Set([read.answer, ...read.answer_aliases].map((answer) => answer.trim()))
  answers.delete('')
  // the type of the question: 2hop, 3hop1, 3hop2, 4hop1, …
  const hops = /^\dhop\d?(?=__)/.exec(read.id)
  const question: Question = {
    text: read.question.trim(),
    decomposition,
    id: read.id,
    reference: { kind: 'answer', accepted: Array.from(answers, (text) => ({ text })) },
    evidence: supporting.map(({ id }) => ({ documentId: id })),
    tags: hops ? [hops[0]] : [],
  }
  return { question, paragraphs, supporting }
}
