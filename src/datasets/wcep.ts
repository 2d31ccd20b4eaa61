import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import type { Corpus } from '../types.ts'
import { recordsOf, shape, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { firstItems, firstOnly, publishedDataset, wordCount } from './shared/published-dataset.ts'

const splits = ['train', 'val', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  items: firstItems('events', 'GoR takes 30 of test and 400 of train'),
})

/** The articles of an event must have more words than this together (GoR); words stand between white space. */
const minWords = 6000

const event = z.object({ document: z.array(z.string()), summary: words })
const article = z.object({ title: z.string().nullish(), text: z.string().nullish() })
const originalEvent = z.object({ id: z.union([z.string(), z.int()]), summary: words, articles: z.array(article) })
const release = 'WCEP-10 (document and summary) or the original WCEP (id, summary and articles)'

/**
 * WCEP (Gholipour Ghalandari et al., 2020): one corpus per event of the Wikipedia Current Events Portal, a document per
 * article. An article of the original is its title and its text; one that could not be extracted has neither and is
 * left out.
 */
export const wcep = publishedDataset({
  name: 'wcep',
  summary: 'News events, each with a summary of one or two sentences and the articles that report it.',
  source: 'https://huggingface.co/datasets/ccdv/WCEP-10',
  licence: 'articles: their publishers; summaries: Wikipedia, CC BY-SA; code of the original: MIT',
  layout:
    '`{train,val,test}.txt` of WCEP-10, else `{train,val,test}.jsonl.gz` of the original (https://github.com/complementizer/wcep-mds-dataset)',
  options,
  evidence: false,
  files: async (path, { split }) => [await officialFile(path, [`${split}.txt`, `${split}.jsonl`], 'wcep')],
  async *corpora({ files, options: { items }, bad, holds, leftOut }) {
    const isFirst = firstOnly(items, 'events', leftOut)
    for await (const { value, number, where } of recordsOf(files, z.unknown(), release, bad)) {
      const read = bad.attempt(() => eventOf(value, number, where))
      if (!read) continue
      holds('events')
      if (wordCount(read.articles.join(' ')) <= minWords) {
        leftOut(`events of at most ${minWords} words`)
        continue
      }
      holds(`events of more than ${minWords} words`)
      if (!isFirst()) continue
      leftOut('articles without text', read.articles.filter((text) => !isWritten(text)).length)
      yield corpusOf(read)
    }
  },
  download: {
    files: splits.map((split) => ({
      url: `https://huggingface.co/datasets/ccdv/WCEP-10/resolve/main/${split}.zip`,
      name: `${split}.zip`,
      unpack: { format: 'zip', members: [`${split}.txt`] },
    })),
    note: 'This is WCEP-10, which GoR reads. The original is linked from https://github.com/complementizer/wcep-mds-dataset; its train.jsonl.gz, val.jsonl.gz and test.jsonl.gz are read, too.',
  },
})

const isWritten = (text: string): boolean => text.trim() !== ''

/** An event with all its articles, those without text too: `id` is that of the original, or the number of its line. */
interface Event {
  readonly id: string
  readonly summary: string
  readonly articles: readonly string[]
}

function eventOf(value: unknown, number: number, where: string): Event {
  if (!isObject(value) || !('articles' in value)) {
    const { document, summary } = shape(event, value, where, release)
    return { id: `event-${number}`, summary, articles: document }
  }
  const { id, summary, articles } = shape(originalEvent, value, where, release)
  const texts = articles.map(({ title, text }) =>
    text == null ? '' : [title ?? '', text].filter(isWritten).join('\n\n'),
  )
  return { id: String(id), summary, articles: texts }
}

const corpusOf = ({ id, summary, articles }: Event): Corpus => ({
  id,
  documents: articles.flatMap((text, at) => (isWritten(text) ? [{ id: `${id}-${at + 1}`, text }] : [])),
  questions: [summaryQuestion(id, 'Summarise this news event.', [summary])],
})
