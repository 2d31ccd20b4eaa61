import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Corpus } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, ofFolder } from './shared/official-file.ts'
import { onBadRecord, countedCorpora, firstItems, firstOnly } from './shared/reading.ts'

const options = z.strictObject({
  split: z.enum(['train', 'dev', 'test']).default('test').describe('Official file to read when the path is a folder'),
  slices: z
    .enum(['official', 'gor'])
    .default('official')
    .describe(
      'official: stories as the files divide them; gor: test is without the first 25 stories of its file, which belong to train together with train and dev, as in the code of GoR',
    ),
  question: z
    .enum(['first', 'all'])
    .default('first')
    .describe('first: only the first question of each story, which asks for the plot, as in GoR; all: all five'),
  items: firstItems('stories', 'GoR takes 30 of test and 400 of train'),
  onBadRecord,
})

type Options = z.output<typeof options>

const story = z.object({
  metadata: z.object({ passage_id: words }),
  document: words,
  questions: z
    .array(
      z.object({
        question_text: words,
        question_number: z.int(),
        responses: z.array(z.object({ response_text: words })).min(1, 'is empty'),
      }),
    )
    .min(1, 'is empty'),
})

const release = 'SQuALITY v1.3, the form txt (metadata, document and questions with responses)'

/** Stories of the test file that GoR trains on. */
const moved = 25

/** SQuALITY (Wang et al., 2022): one corpus per story; every question has four summaries by as many writers. */
export const squality = defineDataset({
  name: 'squality',
  summary:
    'Questions about short stories whose answers are summaries, each by four writers; the first asks for the plot.',
  source: 'https://github.com/nyu-mll/SQuALITY',
  licence: 'summaries: CC BY 4.0; stories: Project Gutenberg',
  layout: '`{train,dev,test}.jsonl` of `data/v1-3/txt`',
  options,
  evidence: false,
  files: filesOf,
  unused: ofFolder('split'),
  corpora: (path, chosen) =>
    countedCorpora(path, chosen.onBadRecord, async function* ({ bad, holds, leftOut }) {
      const isFirst = firstOnly(chosen.items, 'stories', leftOut)
      const isGor = chosen.slices === 'gor'
      for (const [at, file] of (await filesOf(path, chosen)).entries())
        for await (const { value, number } of recordsOf(file, story, release, bad)) {
          const { metadata, document: text, questions } = value
          holds('stories')
          holds('questions', questions.length)
          for (const { responses } of questions) holds('reference summaries', responses.length)
          if (isGor && chosen.split === 'test' && number <= moved) leftOut('stories that GoR trains on')
          else if (isGor && at === 2 && number > moved) leftOut('stories that GoR tests on')
          else if (isFirst()) {
            const asked = chosen.question === 'first' ? questions.slice(0, 1) : questions
            leftOut('questions after the first of their story', questions.length - asked.length)
            yield corpusOf(metadata.passage_id, text, asked)
          }
        }
    }),
  download: {
    files: (['train', 'dev', 'test'] as const).map((split) => ({
      url: `https://raw.githubusercontent.com/nyu-mll/SQuALITY/dc08d4f574639d773bc64ef3ab3527043108fb4e/data/v1-3/txt/${split}.jsonl`,
      name: `${split}.jsonl`,
      ...(split === 'test' && {
        sha256: '5a485f30edebd16367427997ae82fac47bcd9ada9e7755c70a7d6569c0668c9c',
        bytes: 3_039_248,
      }),
    })),
  },
})

/** The file of the split; for GoR's train those of train, dev and test. */
async function filesOf(path: string, { split, slices }: Options): Promise<readonly string[]> {
  const fileOf = (name: string): Promise<string> =>
    officialFile(path, [`${name}.jsonl`, `v1-3.txt.${name}.jsonl`], 'squality')
  if (slices === 'official' || split === 'test') return [await fileOf(split)]
  if (split === 'dev')
    throw new UserError(`${path}: with "slices: gor" the stories of dev belong to train; take the split train or test`)
  const files = [await fileOf('train'), await fileOf('dev'), await fileOf('test')]
  if (new Set(files).size < files.length)
    throw new UserError(`${path}: "slices: gor" with the split train reads three files; name their folder`)
  return files
}

const corpusOf = (id: string, text: string, asked: z.output<typeof story>['questions']): Corpus => ({
  id,
  documents: [{ id, text }],
  questions: asked.map(({ question_text, question_number, responses }) => {
    const accepted = responses.map(({ response_text }) => response_text)
    return summaryQuestion(`${id}-${question_number}`, question_text.trim(), accepted, id)
  }),
})
