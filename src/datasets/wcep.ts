import { z } from 'zod'
import { recordsOf, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstLong } from './shared/selection.ts'

const splits = ['train', 'val', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  items: firstItems('events'),
})

/** The articles of an event must have more words than this together (GoR); words stand between white space. */
const minWords = 6000

/** WCEP (Gholipour Ghalandari et al., 2020): one corpus per event, a document per article. */
export const wcep = publishedDataset({
  name: 'wcep',
  summary: 'News events, each with a summary of one or two sentences and the articles that report it.',
  source: 'https://huggingface.co/datasets/ccdv/WCEP-10',
  licence: 'articles: their publishers; summaries: Wikipedia, CC BY-SA; code of the original: MIT',
  layout:
    '`{train,val,test}.txt` of WCEP-10, else `{train,val,test}.jsonl.gz` of the original (https://github.com/complementizer/wcep-mds-dataset)',
  options,
  files: async (path, { split }) => [await officialFile(path, [`${split}.txt`, `${split}.jsonl`], 'wcep')],
  async *corpora({ files, options: { items }, ...counting }) {
    const isUsed = firstLong(items, 'events', minWords, counting)
    for await (const { value, number } of recordsOf(files, event, counting.bad)) {
      const { id = `event-${number}`, articles, summary } = value
      if (!isUsed(articles.join(' '))) continue
      const documents = articles.flatMap((text, at) => (isWritten(text) ? [{ id: `${id}-${at + 1}`, text }] : []))
      counting.leftOut('articles without text', articles.length - documents.length)
      yield { id, documents, questions: [summaryQuestion(id, 'Summarise this news event.', [summary])] }
    }
  },
  download: {
    files: splits.map((split) => ({
      url: `https://huggingface.co/datasets/ccdv/WCEP-10/resolve/main/${split}.zip`,
      name: `${split}.zip`,
      unpack: { format: 'zip', members: [`${split}.txt`] },
    })),
    note: 'This is WCEP-10, which GoR reads; the files of the original (https://github.com/complementizer/wcep-mds-dataset) are read, too.',
  },
})

const isWritten = (text: string) => text.trim() !== ''

/** An event: WCEP-10 has texts alone, the original title and text, of which a lost one has neither. */
const event = z
  .union([
    z
      .object({ document: z.array(z.string()), summary: words })
      .transform(({ document: articles, summary }) => ({ id: undefined, articles, summary })),
    z.object({
      id: z.union([z.string(), z.int()]).transform(String),
      summary: words,
      articles: z.array(
        z
          .object({ title: z.string().nullish(), text: z.string().nullish() })
          .transform(({ title, text }) => (text == null ? '' : [title ?? '', text].filter(isWritten).join('\n\n'))),
      ),
    }),
  ])
  .describe('WCEP-10 (document and summary) or the original WCEP (id, summary and articles)')
