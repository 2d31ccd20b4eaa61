import { dirname } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { DatasetCase } from '../../testing/dataset.ts'
import { jsonl, writeFiles } from './write-files.ts'

const summaries = {
  meeting: (queries: readonly string[]) => ({
    topic_list: [{ topic: 'The bell', relevant_text_span: [['0', '1']] }],
    general_query_list: [{ query: 'Summarize the whole meeting.', answer: 'They bought a bell.' }],
    specific_query_list: queries.map((query) => ({ query, answer: 'A bell.', relevant_text_span: [['1', '2']] })),
    meeting_transcripts: [
      { speaker: 'Chair', content: 'Um {disfmarker} the L_C_D_ bell .' },
      { speaker: 'Clerk', content: '{vocalsound}' },
      { speaker: 'Clerk', content: 'It costs forty crowns .' },
    ],
  }),
  story: (id: string) => ({
    metadata: { passage_id: id, uid: 'u', license: 'none' },
    document: `Story ${id}.`,
    questions: [1, 2].map((number) => ({
      question_text: 'What is the plot?',
      question_number: number,
      responses: ['A bell rings.', 'There is a bell.'].map((response_text) => ({ worker_id: '1', response_text })),
    })),
  }),
  paper: (url: string) => ({
    url,
    title: 'Tide clocks',
    abstract: 'They are late.',
    main_content: `The clocks of ${url}.`,
    gt: 'They are late.',
  }),
}

/** Words with which a part of an episode ends and the next begins. */
const repeat = 'A bell was cast in the town. '.repeat(4) + 'It was cracked.'

/** Long enough for the filters of GoR. */
const long = 'The bridge was inspected twice. '.repeat(1601).trim()

/** The copies of the datasets that ask for summaries. */
export const summaryCopies: Readonly<Record<string, readonly DatasetCase[]>> = {
  'graphrag-podcast': [
    {
      path: dirname(
        writeFiles('graphrag-podcast', {
          'Kevin Scott Questions.csv':
            '\uFEFFquestion_text,question_id\r\nWhich bells recur?,g1\r\n"Who casts, and who rings?",g2\r\n',
          'Kevin Scott Podcast Transcripts Input Text.zip': zipSync({
            'input/Ep-1_The Bells-part2.txt': strToU8(`Ep-1_The Bells.txt ${repeat} It rings.\r\n`),
            'input/Ep-1_The Bells-part1.txt': strToU8(`Ep-1_The Bells.txt Gret is old.\r\n${repeat}`),
            'input/EP-02_ Tide-part1.txt': strToU8('EP-02_ Tide.txt The tide is late.'),
          }),
        }),
      ),
      counts: { corpora: 1, documents: 2, questions: 2, tags: {}, holds: { parts: 3 } },
    },
  ],
  qmsum: [
    {
      path: writeFiles('qmsum', { 'test.jsonl': jsonl([summaries.meeting(['Which bell?']), summaries.meeting([])]) }),
      options: { queries: 'all' },
      counts: {
        corpora: 2,
        documents: 2,
        questions: 3,
        tags: { general: 2, specific: 1 },
        holds: { meetings: 2, 'general queries': 2, 'specific queries': 1 },
      },
    },
  ],
  squality: [
    {
      path: writeFiles('squality', { 'test.jsonl': jsonl([summaries.story('1'), summaries.story('2')]) }),
      counts: {
        corpora: 2,
        documents: 2,
        questions: 2,
        holds: { stories: 2, questions: 4, 'reference summaries': 8 },
        leftOut: { 'questions after the first of their story': 2 },
      },
    },
  ],
  wcep: [
    {
      path: writeFiles('wcep', {
        'test.txt': jsonl([
          { document: [long, ' ', 'No bridge.'], summary: 'A bridge closes.' },
          { document: ['Rain.'], summary: 'It rains.' },
        ]),
      }),
      counts: {
        corpora: 1,
        documents: 2,
        questions: 1,
        holds: { events: 2, 'events of more than 6000 words': 1 },
        leftOut: { 'articles without text': 1, 'events of at most 6000 words': 1 },
      },
    },
  ],
  booksum: [
    {
      path: writeFiles('booksum', {
        'test.csv': [
          'book_id,chapter,chapter_length,summary_text,other',
          'Clock.1,"She said ""no"".\nThen left.",9000.0,She leaves.,x',
          'Clock.1,"She said ""no"".\nThen left.",9000.0,"No, she says.",x',
          'Clock.2,Short.,8000.0,Short.,x',
          'Clock.3,Unknown.,,Unknown.,x',
        ].join('\n'),
      }),
      counts: {
        corpora: 1,
        documents: 1,
        questions: 2,
        holds: { rows: 4, 'rows longer than 8000': 2 },
        leftOut: { 'rows of length 8000 or less': 1, 'rows without a length': 1 },
      },
    },
  ],
  govreport: [
    {
      path: writeFiles('govreport', {
        'test.jsonl': jsonl([
          { report: long, summary: 'Two inspections.' },
          { report: 'Nothing.', summary: 'None.' },
        ]),
      }),
      counts: {
        corpora: 1,
        documents: 1,
        questions: 1,
        holds: { reports: 2, 'reports of more than 8000 words': 1 },
        leftOut: { 'reports of at most 8000 words': 1 },
      },
    },
  ],
  'academic-eval': [
    {
      path: dirname(
        writeFiles('academic-eval', {
          'abs_29K_G/a_test_1.json': {
            ...summaries.paper('u/1'),
            additional_graph_info: { graph: [], node_feat: { Ada: [summaries.paper('u/1'), summaries.paper('u/2')] } },
          },
          'abs_29K_G/a_train_1.json': summaries.paper('u/3'),
        }),
      ),
      counts: {
        corpora: 1,
        documents: 2,
        questions: 1,
        holds: { papers: 1 },
        leftOut: { 'papers of co-authors that are the paper itself': 1 },
      },
    },
  ],
}
