import { z } from 'zod'
import { recordsOf, words } from '../formats/records.ts'
import { spanOf } from '../text/tokens.ts'
import { evidenceAt, joinParts, summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstOnly } from './shared/selection.ts'

const options = z.strictObject({
  split: split(['train', 'val', 'test'], 'test'),
  queries: z
    .enum(['general', 'specific', 'all'])
    .default('general')
    .describe('Which queries are asked: those about a whole meeting, as in GoR, those about a part of it, or both'),
  clean: z
    .enum(['real', 'reference'])
    .default('real')
    .describe(
      'real: removes markers such as {vocalsound} and joins spelled letters (L_C_D_: LCD); reference: keeps both, like the code of GoR',
    ),
  items: firstItems('meetings'),
})

const turn = z
  .string()
  .regex(/^\d+$/, 'must be the number of a turn')
  .transform((digits) => Number(digits))
const spans = z.array(z.tuple([turn, turn]))
const query = z.object({ query: words, answer: words })

const meeting = z
  .object({
    topic_list: z.array(z.object({ topic: z.string() })),
    general_query_list: z.array(query),
    specific_query_list: z.array(query.extend({ relevant_text_span: spans })),
    meeting_transcripts: z.array(z.object({ speaker: z.string(), content: z.string() })).min(1, 'is empty'),
  })
  .describe('QMSum (topic_list, general_query_list, specific_query_list and meeting_transcripts)')

/** QMSum (Zhong et al., 2021): one corpus per meeting. Evidence of a specific query: the turns of its spans. */
export const qmsum = publishedDataset({
  name: 'qmsum',
  summary: 'Requests for a summary of a meeting, or of a part of it, with the transcript of the meeting.',
  source: 'https://github.com/Yale-LILY/QMSum',
  licence: 'MIT; its authors ask to limit it to research purposes',
  layout: '`{train,val,test}.jsonl` of `data/ALL/jsonl`',
  options,
  evidence: 'some',
  files: async (path, { split }) => [await officialFile(path, [`${split}.jsonl`, `ALL.${split}.jsonl`], 'qmsum')],
  async *corpora({ files, options, bad, holds, leftOut }) {
    const isFirst = firstOnly(options.items, 'meetings', { leftOut })
    for await (const { value, number } of recordsOf(files, meeting, bad)) {
      const general = value.general_query_list.length
      const specific = value.specific_query_list.length
      holds('meetings')
      holds('general queries', general)
      holds('specific queries', specific)
      if (!isFirst()) continue
      const transcript = transcriptOf(value.meeting_transcripts, options.clean === 'real')
      if (options.queries === 'specific') leftOut('general queries', general)
      if (options.queries === 'general') leftOut('specific queries', specific)
      const id = `meeting-${number}`
      const questions = questionsOf(value, id, transcript)[options.queries]
      if (questions.length > 0) yield { id, documents: [{ id, text: transcript.text }], questions }
    }
  },
  download: {
    files: filesBelow(
      'https://raw.githubusercontent.com/Yale-LILY/QMSum/main/data/ALL/jsonl',
      ['train.jsonl', 'val.jsonl', 'test.jsonl'],
      { 'test.jsonl': '6bcd428211260ad2efae3af76cbaf6a7f5ae4bb5e1e59c45a4b8e89539cb9208' },
    ),
  },
})

function questionsOf(read: z.output<typeof meeting>, id: string, transcript: Transcript) {
  const topicTexts = read.topic_list.map(({ topic }) => topic.trim())
  const topics = topicTexts.filter((topic) => topic !== '')
  // passages are retrieved by the query and the topics of the meeting, as in GoR; the answerer gets the bare query
  const general = read.general_query_list.map(({ query, answer }, at) => ({
    ...summaryQuestion(`${id}-general-${at + 1}`, query.trim(), [answer], id),
    tags: ['general'],
    ...(topics.length > 0 && { searchText: [query.trim(), ...topics].join('\n') }),
  }))
  const specific = read.specific_query_list.map(({ query, answer, relevant_text_span: spans }, at) => ({
    ...summaryQuestion(`${id}-specific-${at + 1}`, query.trim(), [answer], id),
    tags: ['specific'],
    evidence: spans.flatMap((span) => evidenceOf(transcript, id, span)),
  }))
  return { general, specific, all: [...general, ...specific] }
}

type Transcript = ReturnType<typeof transcriptOf>

/** Letters spelled one by one: `L_C_D_`. */
const spelledLetters = /(?<![A-Za-z_])(?:[A-Za-z]_)+/g

/** A transcript as one text, with the spans of turns with words. `clean`: without markers, letters joined. */
function transcriptOf(turns: z.output<typeof meeting>['meeting_transcripts'], clean: boolean) {
  const parts = turns.map(({ speaker, content }) => {
    const words = clean ? cleanText(content) : content.trim()
    return words === '' ? '' : `${speaker.trim()}\n${words}`
  })
  return joinParts(parts)
}

const cleanText = (content: string) =>
  content
    .replace(/\{\s*\w+\s*\}/g, ' ')
    .replace(spelledLetters, (letters) => letters.replaceAll('_', ''))
    .replace(/\s+/g, ' ')
    .trim()

function evidenceOf({ text, spans }: Transcript, id: string, [first, last]: readonly [number, number]) {
  const turns = spans.slice(first, last + 1).filter((span) => span !== undefined)
  return turns.length > 0 ? [evidenceAt({ id, text }, spanOf(turns))] : []
}
