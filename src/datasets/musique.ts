import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { words } from '../formats/records.ts'
import { corpusFile, multihopCorpus, passagesFile, type MultihopItem } from './shared/multihop.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

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
      'Name of the file of questions in the folder; null takes the first one of musique_ans_v1.0, ' +
        'musique_full_v1.0 and, for dev, musique.json',
    ),
  corpusFile: corpusFile.describe(`${corpusFile.description ?? ''}; only with corpus: all`),
})

type Options = z.output<typeof options>

/** As released for HippoRAG 2; the digests are those of this revision. */
const hippoRag = 'https://huggingface.co/datasets/osunlp/HippoRAG_2/resolve/5ec05b38deecc3318bb432c69865959c56058990'

/**
 * MuSiQue (Trivedi et al., 2022): one corpus, whose id says whether it is `all` or `gold`. Evidence is the supporting
 * paragraphs in the order of the hops; the tag `3hop1` is the type of question.
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
  async *corpora({ files, options: { corpus }, ...counting }) {
    const read = await multihopCorpus(files, { form, onlyGold: corpus === 'gold' }, counting)
    yield { id: `musique-${corpus}`, ...read, answerable: true }
  },
  download: {
    files: filesBelow(hippoRag, ['musique.json', 'musique_corpus.json'], {
      'musique.json': '98ed4e21d3076532f6388d42320fb809599c63a0d8dffca8ece5e41922be6b46',
      'musique_corpus.json': '73157a03ce3f0b1a5673dd5dc12bb970c24976dbffc688af9eecdd758c97ffcb',
    }),
    note:
      'These are the 1000 questions and 11,656 passages of the HippoRAG papers. The official archive must be downloaded by hand: follow ' +
      'https://github.com/StonyBrookNLP/musique to musique_v1.0.zip and put its musique_ans_v1.0_dev.jsonl into the same folder.',
  },
})

async function filesOf(path: string, options: Options): Promise<readonly [questions: string, ...passages: string[]]> {
  const { split, corpus, questionFile, corpusFile: passages } = options
  const official = ['ans', 'full'].map((part) => `musique_${part}_v1.0_${split}.jsonl`)
  const names = questionFile !== null ? [questionFile] : [...official, ...(split === 'dev' ? ['musique.json'] : [])]
  const download = questionFile === null || questionFile === 'musique.json' ? 'musique' : null
  const questions = await officialFile(path, names, download)
  if (questionFile !== null && ![questionFile, `${questionFile}.gz`].includes(basename(questions)))
    throw new UserError(`${path}: is not the file ${questionFile} of the option "questionFile"; remove one of the two`)
  if (corpus === 'all') return [questions, ...(await passagesFile(questions, passages))]
  if (passages !== null) throw new UserError('musique: "corpusFile" requires the option "corpus: all"; remove it')
  return [questions]
}

const form = z
  .object({
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
  .transform((record): MultihopItem | undefined => {
    if (!record.answerable) return undefined
    const { id, question } = record
    const paragraphs = record.paragraphs.map(({ title, paragraph_text: text, ...marks }) => ({ title, text, ...marks }))
    const hops = record.question_decomposition.map(({ paragraph_support_idx: support, ...hop }) => {
      const paragraph = paragraphs.find(({ idx }) => idx === support)
      return { ...hop, ...(paragraph && { paragraph }) }
    })
    return {
      id,
      question,
      answers: [record.answer, ...record.answer_aliases],
      paragraphs,
      hops,
      supporting: [
        ...hops.flatMap(({ paragraph }) => paragraph ?? []),
        ...paragraphs.filter(({ is_supporting: isSupporting }) => isSupporting),
      ],
      // the type of the question: 2hop, 3hop1, 3hop2, 4hop1, …
      tags: /^\dhop\d?(?=__)/.exec(id)?.slice(0, 1) ?? [],
    }
  })
  .describe('MuSiQue v1.0, train or dev (the test split carries no answers)')
