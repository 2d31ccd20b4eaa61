import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { techqa } from './techqa.ts'

const options = (overrides: object = {}) => techqa.options.parse(overrides)

const technotes = {
  swg1: {
    id: 'swg1',
    title: 'Server 8.5 fails',
    text: 'PROBLEM\nIt fails.\n\nANSWER\nRestart the server.\n\nThen wait.',
    metadata: {},
  },
  swg2: { id: 'swg2', title: 'Mail', text: 'Mail is  lost.' },
  swg3: { id: 'swg3', title: '', text: 'Nothing.' },
  swg4: { id: 'swg4', title: ' ', text: '' },
}
const request = (id: string, ids: readonly string[], more: object = {}) => ({
  QUESTION_ID: id,
  QUESTION_TITLE: `Title ${id} `,
  QUESTION_TEXT: `Text ${id}\n`,
  DOCUMENT: 'swg1',
  ANSWER: 'Restart the server.',
  START_OFFSET: '26',
  END_OFFSET: '45',
  ANSWERABLE: 'Y',
  DOC_IDS: ids,
  ...more,
})
const noAnswer = { DOCUMENT: '-', ANSWER: '-', START_OFFSET: '-', END_OFFSET: '-', ANSWERABLE: 'N' }
const questions = [
  request('Q1', ['swg2', ' swg1', 'swg9']),
  request('Q2', ['swg1', 'swg3'], noAnswer),
  request('Q3', ['swg3', 'swg4'], { QUESTION_TEXT: '', DOCUMENT: 'swg2', ANSWER: 'is lost.', START_OFFSET: 9 }),
  request('Q4', ['swg1'], { ANSWER: 'Reboot.' }),
]

/** A folder with both files; gives the file of questions. */
function writeInput(values: unknown, notes: object | null = technotes, name = 'dev_Q_A.json'): string {
  const questionFile = { [name]: JSON.stringify(values, null, 1) }
  return join(folderOf(notes === null ? questionFile : { ...questionFile, 'training_dev_technotes.json': notes }), name)
}

const read = (overrides: object = {}, values: unknown = questions, notes: object | null = technotes) =>
  gather(techqa.corpora(writeInput(values, notes), options(overrides)))

test('searches title and text of all technotes; evidence is the place of the answer', async () => {
  const [corpus] = await read()
  expect(corpus?.documents).toEqual([
    { id: 'swg1', title: 'Server 8.5 fails', text: `Server 8.5 fails\n\n${technotes.swg1.text}` },
    { id: 'swg2', title: 'Mail', text: 'Mail\n\nMail is  lost.' },
    { id: 'swg3', title: '', text: 'Nothing.' },
  ])
  expect(corpus?.questions).toEqual([
    {
      id: 'Q1',
      text: 'Title Q1\n\nText Q1',
      reference: { kind: 'answer', accepted: [{ text: 'Restart the server.', type: 'extractive' }] },
      evidence: [
        {
          documentId: 'swg1',
          text: 'ANSWER\nRestart the server.',
          start: (corpus?.documents[0]?.text ?? '').indexOf('ANSWER\nRestart'),
        },
      ],
      tags: [],
      cluster: 'swg1',
    },
    expect.objectContaining({
      id: 'Q3',
      text: 'Title Q3',
      evidence: [{ documentId: 'swg2', text: 'Mail is  lost.', start: 6 }],
      tags: ['repaired-offset'],
    }),
    expect.objectContaining({ id: 'Q4', tags: ['lost-answer'] }),
  ])
  expect(corpus?.questions[2]).not.toHaveProperty('evidence')
})

test.each(['', 'training_and_dev', 'TechQA/training_and_dev'])(
  'finds the files of an archive unpacked to "%s"',
  async (place) => {
    const names = ['training_Q_A.json', 'training_dev_technotes.json'].map((name) => join(place, name))
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, '[{}]'])))
    const files = await techqa.files(folder, options({ split: 'train' }))
    expect(files).toEqual(names.map((name) => join(folder, name)))
  },
)

test.each<[string, unknown, object | null, RegExp]>([
  [
    'an unknown technote',
    [request('Q', [], { DOCUMENT: 'swg9' })],
    technotes,
    /:2: the technotes have no document "swg9", which has/,
  ],
  ['no technotes', questions, null, /no training_dev_technotes\.json in this folder \(it contains dev_Q_A\.json\)/],
])('names the place of malformed input: %s', async (_, values, notes, message) => {
  await expect(gather(techqa.corpora(writeInput(values, notes), options()))).rejects.toThrow(message)
})
