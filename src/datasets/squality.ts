import { z } from 'zod'
import { recordsOf, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstOnly } from './shared/selection.ts'

const options = z.strictObject({
  split: split(['train', 'dev', 'test'], 'test'),
  question: z
    .enum(['first', 'all'])
    .default('first')
    .describe('first: only the first question of each story, which asks for the plot, as in GoR; all: all five'),
  items: firstItems('stories'),
})

const question = z.object({
  question_text: words,
  question_number: z.int(),
  responses: z.array(z.object({ response_text: words })).min(1, 'is empty'),
})

const story = z
  .object({
    metadata: z.object({ passage_id: words }),
    document: words,
    questions: z.array(question).min(1, 'is empty'),
  })
  .describe('SQuALITY v1.3, the form txt (metadata, document and questions with responses)')

/** SQuALITY (Wang et al., 2022): one corpus per story; every question has four summaries by as many writers. */
export const squality = publishedDataset({
  name: 'squality',
  summary:
    'Questions about short stories whose answers are summaries, each by four writers; the first asks for the plot.',
  source: 'https://github.com/nyu-mll/SQuALITY',
  licence: 'summaries: CC BY 4.0; stories: Project Gutenberg',
  layout: '`{train,dev,test}.jsonl` of `data/v1-3/txt`',
  options,
  files: async (path, { split }) => [
    await officialFile(path, [`${split}.jsonl`, `v1-3.txt.${split}.jsonl`], 'squality'),
  ],
  async *corpora({ files, options: { items, question }, bad, holds, leftOut }) {
    const isFirst = firstOnly(items, 'stories', { leftOut })
    for await (const { value } of recordsOf(files, story, bad)) {
      const { document: text, questions } = value
      const id = value.metadata.passage_id
      holds('stories')
      holds('questions', questions.length)
      for (const { responses } of questions) holds('reference summaries', responses.length)
      if (!isFirst()) continue
      const selection = question === 'first' ? questions.slice(0, 1) : questions
      leftOut('questions after the first of their story', questions.length - selection.length)
      const requests = selection.map(({ question_text, question_number, responses }) => {
        const summaries = responses.map(({ response_text }) => response_text)
        return summaryQuestion(`${id}-${question_number}`, question_text.trim(), summaries, id)
      })
      yield { id, documents: [{ id, text }], questions: requests }
    }
  },
  download: {
    files: filesBelow(
      'https://raw.githubusercontent.com/nyu-mll/SQuALITY/dc08d4f574639d773bc64ef3ab3527043108fb4e/data/v1-3/txt',
      ['train.jsonl', 'dev.jsonl', 'test.jsonl'],
      { 'test.jsonl': '5a485f30edebd16367427997ae82fac47bcd9ada9e7755c70a7d6569c0668c9c' },
    ),
  },
})
