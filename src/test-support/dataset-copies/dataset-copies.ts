import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { DatasetCase } from '../../testing/dataset.ts'
import { hipporagCopy } from './hipporag-copy.ts'
import { multihopCopy } from './multihop-copies.ts'
import { summaryCopies } from './summary-copies.ts'
import { jsonl, writeFiles } from './write-files.ts'

const qualityLine = (article: string, writer: string, labels: readonly number[]) => ({
  article_id: article,
  set_unique_id: `${article}_${writer}`,
  title: `Title ${article}`,
  year: 1950,
  article: `Article ${article}.`,
  questions: labels.map((label, index) => ({
    question: `Who is asked in ${article}?`,
    question_unique_id: `${article}_${writer}_${index + 1}`,
    options: ['a', 'b', 'c', 'd'],
    writer_label: 1,
    gold_label: label,
    difficult: index === 0 ? 1 : 0,
  })),
})

const qasperAnswer = {
  unanswerable: false,
  extractive_spans: ['x', 'y'],
  free_form_answer: '',
  yes_no: null,
  evidence: ['First.'],
  highlighted_evidence: [],
}

const qasperPaper = (title: string, ids: readonly string[]) => ({
  title,
  abstract: 'An abstract.',
  full_text: [{ section_name: 'Method', paragraphs: ['First.', 'Second.'] }],
  figures_and_tables: [],
  qas: ids.map((id) => ({
    question: 'How?',
    question_id: id,
    answers: [{ answer: qasperAnswer, annotation_id: 'a', worker_id: 'w' }],
  })),
})

const ragbenchRows = [
  { id: '1', question: 'Who?', documents: ['One.', 'Two.'], adherence_score: true, keys: ['1b'] },
  { id: '1', question: 'Who?', documents: ['One.', 'Five.'], adherence_score: false, keys: ['0a'] },
  { id: '2', question: 'What?', documents: ['Three.', ' '], adherence_score: false, keys: [] },
]

const ragbenchColumns = {
  id: ragbenchRows.map(({ id }) => id),
  question: ragbenchRows.map(({ question }) => question),
  documents: ragbenchRows.map(({ documents }) => documents),
  response: ragbenchRows.map(({ id }) => `${id} answers.`),
  dataset_name: ragbenchRows.map(() => 'toy_train'),
  adherence_score: ragbenchRows.map((row) => row.adherence_score),
  all_relevant_sentence_keys: ragbenchRows.map(({ keys }) => keys),
}

const covidContext = 'A title\n\nThe virus was found in 2019.\nIt spread.'
const covidQuestion = (id: number, text: string, answer_start: number) => ({
  id,
  question: `What of ${id}?`,
  answers: text === '' ? [] : [{ text, answer_start }],
  is_impossible: text === '',
})

const manual = Object.fromEntries(
  ['Guides', 'Features', 'Using Bixby'].map((title, at) => [
    `s${at}`,
    { id: `s${at}`, title, text: ['Say one or two.'] },
  ]),
)

const techqaQuestion = (id: string, ids: readonly string[], more: object = {}) => ({
  QUESTION_ID: id,
  QUESTION_TITLE: `Title ${id}`,
  QUESTION_TEXT: `Text ${id}`,
  DOCUMENT: 'swg1',
  ANSWER: 'Restart the server.',
  START_OFFSET: '19',
  END_OFFSET: '38',
  ANSWERABLE: 'Y',
  DOC_IDS: ids,
  ...more,
})
const techqaFiles = {
  'dev_Q_A.json': [
    techqaQuestion('Q1', ['swg2', 'swg1']),
    techqaQuestion('Q2', ['swg1'], { DOCUMENT: '-', ANSWER: '-', START_OFFSET: '-', END_OFFSET: '-', ANSWERABLE: 'N' }),
  ],
  'training_dev_technotes.json': {
    swg1: { id: 'swg1', title: 'Server fails', text: 'PROBLEM\nIt fails.\n\nRestart the server.', metadata: {} },
    swg2: { id: 'swg2', title: 'Mail', text: 'Mail is lost.' },
  },
}

const films = fileURLToPath(new URL('../../../datasets/sample-films', import.meta.url))
const sample = fileURLToPath(new URL('../../../datasets/sample', import.meta.url))

/** A small hand-made copy of every dataset, in its official form, by the name of the dataset, and what it holds. */
export const datasetCopies: Readonly<Record<string, readonly DatasetCase[]>> = {
  sample: [{ path: sample, counts: { corpora: 1, documents: 8, questions: 167 } }],
  quality: [
    {
      path: writeFiles('quality', {
        'file.jsonl': jsonl([qualityLine('1', 'A', [4, 1]), qualityLine('2', 'A', [1]), qualityLine('1', 'B', [2])]),
      }),
      counts: { corpora: 2, documents: 2, questions: 4, tags: { hard: 3 } },
    },
  ],
  qasper: [
    {
      path: writeFiles('qasper', {
        'file.json': { '1': qasperPaper('One', ['q1', 'q2']), '2': qasperPaper('Two', ['q3']) },
      }),
      counts: { corpora: 2, documents: 2, questions: 3, tags: {} },
    },
  ],
  ragbench: [
    {
      path: writeFiles('ragbench', {
        'copy.parquet': new Uint8Array(
          parquetWriteBuffer({
            columnData: Object.entries(ragbenchColumns).map(([name, data]) => ({ name, data })),
          }),
        ),
      }),
      counts: { corpora: 1, documents: 3, questions: 2, leftOut: { 'rows that repeat a question': 1 } },
    },
  ],
  'covid-qa': [
    {
      path: writeFiles('covid-qa', {
        'file.json': {
          data: [
            {
              paragraphs: [
                {
                  context: covidContext,
                  document_id: 7,
                  qas: [covidQuestion(1, '2019', 32), covidQuestion(2, 'virus', 14), covidQuestion(3, '', 0)],
                },
              ],
            },
          ],
        },
      }),
      counts: { corpora: 1, documents: 1, questions: 3, tags: { 'repaired-offset': 1, unanswerable: 1 } },
    },
  ],
  emanual: [
    {
      path: writeFiles('emanual', {
        'smart_tv_remote_50_questions.csv': [
          'question_id,question,section_path,section_link,answer',
          '12,How?,Features>Using Bixby,http://x,"One, ""two"""',
          '9,Who?,Elsewhere,http://x,Nobody.',
        ].join('\n'),
        'smart_tv_remote_manual_corpus.json': manual,
      }),
      counts: { corpora: 1, documents: 3, questions: 2, tags: {} },
    },
  ],
  techqa: [{ path: writeFiles('techqa', techqaFiles), counts: { corpora: 1, documents: 2, questions: 1 } }],
  '2wikimultihopqa': [
    {
      path: multihopCopy,
      counts: { corpora: 1, documents: 4, questions: 2, tags: { comparison: 1, compositional: 1 } },
    },
  ],
  hotpotqa: [{ path: multihopCopy, counts: { corpora: 1, documents: 3, questions: 1, tags: { bridge: 1 } } }],
  popqa: [{ path: multihopCopy, counts: { corpora: 1, documents: 3, questions: 2, tags: { occupation: 2 } } }],
  nq: [{ path: multihopCopy, counts: { corpora: 1, documents: 3, questions: 1, tags: {} } }],
  musique: [
    { path: hipporagCopy, counts: { corpora: 1, documents: 7, questions: 2, tags: { '2hop': 1, '3hop1': 1 } } },
    { path: hipporagCopy, options: { corpus: 'gold' }, counts: { documents: 5, questions: 2 } },
  ],
  'cmu-dog': [
    { path: films, counts: { corpora: 3, documents: 3, questions: 9 } },
    { path: films, options: { unit: 'turn', history: 2 }, counts: { corpora: 3, questions: 38 } },
  ],
  ...summaryCopies,
  files: [
    {
      path: dirname(
        writeFiles('files', {
          'hr.txt': 'Staff have 28 days of holiday a year.\n',
          'sub/ops.md': '# Operations\n\nThe server is restarted on Sunday.\n',
          'page.html': '<title>Offices</title><p>Lisbon opened in <b>2019</b>.</p>',
          'logo.png': 'x',
          '.hidden.txt': 'x',
          'empty.txt': '',
          'questions.csv': [
            'question,answer,evidence,options,correct,tags',
            'How many days of holiday?,28 | 28 days,28 days of holiday,,,people|easy',
            'When did Lisbon open?,,Lisbon opened in 2019,2014|2019,B,',
            'Who is the founder?,Unanswerable,,,,',
            'Why Sunday?,,,,,',
          ].join('\n'),
        }),
      ),
      counts: {
        corpora: 1,
        documents: 3,
        questions: 4,
        tags: { easy: 1, people: 1, unanswerable: 1 },
        leftOut: { 'empty files': 1, 'files .png': 1 },
      },
    },
  ],
  beir: [
    {
      path: dirname(
        writeFiles('beir', {
          'corpus.jsonl': jsonl([
            { _id: 'd1', title: 'Oslo', text: 'A city.', metadata: {} },
            { _id: 'd2', title: '', text: 'Moss is a town.' },
            { _id: 'd3', title: '', text: '' },
          ]),
          'queries.jsonl': jsonl([
            { _id: 'q1', text: 'Which city?' },
            { _id: 'q2', text: 'Which town?' },
            { _id: 'q3', text: 'Never judged?' },
          ]),
          'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t1\nq2\td9\t1\nq7\td1\t1\n',
          'qrels/dev.tsv': 'query-id\tcorpus-id\tscore\nq3\td1\t1\n',
        }),
      ),
      counts: {
        corpora: 1,
        documents: 2,
        questions: 2,
        tags: {},
        leftOut: {
          'empty documents': 1,
          'queries without a judgement': 1,
          'judgements of queries that are not there': 1,
        },
      },
    },
  ],
}

/** The path of the first copy of a dataset. */
export function copyOf(name: string): string {
  const [first] = datasetCopies[name] ?? []
  if (!first) throw new Error(`there is no copy of the dataset "${name}"`)
  return first.path
}
