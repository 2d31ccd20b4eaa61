import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyOf } from '../test-support/dataset-copies/dataset-copies.ts'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { sectionAt, emanual } from './emanual.ts'
const options = (overrides: object = {}) => emanual.options.parse(overrides)

const longTitle = 'Connecting with a composite cable (Only for models with COMPONENT IN /'
const titles = ['Guides', 'Using Bixby', 'Connections', longTitle, 'Features', 'Using Bixby', "The TV's Menu"]
const manual = Object.fromEntries(
  titles.map((title, at) => [`s${at}`, { id: `s${at}`, title, text: at === 1 ? [] : ['First line,', 'second.'] }]),
)
const header = 'question_id,question,section_path,section_link,answer'
const rows = [
  header,
  '12,How? ,Features>Using Bixby,http://x,"One, ""two""\nthree."',
  '7,What?,Features>Using Bixby>Nothing of the kind,http://x,Four.',
  '9,Who?,Elsewhere,http://x,Nobody.',
]
const csv = rows.join('\n')
/** A folder with both files; gives the file of questions. */
const writeInput = (questions: string, name = 'smart_tv_remote_50_questions.csv', sections: object = manual): string =>
  join(folderOf({ [name]: questions, 'smart_tv_remote_manual_corpus.json': sections }), name)

const read = (...file: Parameters<typeof writeInput>) => gather(emanual.corpora(writeInput(...file), options()))

test('sections are documents; the evidence of a question is the section of its path', async () => {
  const [corpus] = await read(csv)
  expect(corpus?.id).toBe('smart-tv')
  expect(corpus?.documents.slice(0, 2)).toEqual([
    { id: 's0', title: 'Guides', text: 'Guides\nFirst line,\nsecond.' },
    { id: 's1', title: 'Using Bixby', text: 'Using Bixby' },
  ])
  expect(corpus?.questions).toEqual([
    {
      id: '12',
      text: 'How?',
      reference: { kind: 'answer', accepted: [{ text: 'One, "two"\nthree.' }] },
      evidence: [{ documentId: 's5' }],
      cluster: 's5',
    },
    expect.objectContaining({ id: '7', evidence: [{ documentId: 's5' }] }),
    { id: '9', text: 'Who?', reference: { kind: 'answer', accepted: [{ text: 'Nobody.' }] } },
  ])
})

test('drops a title that its section repeats', async () => {
  const [corpus] = await read(csv, undefined, { a: { id: 'a', title: 'Features', text: ['Features', 'Line.'] } })
  expect(corpus?.documents).toEqual([{ id: 'a', title: 'Features', text: 'Features\nLine.' }])
})

test('skips blank sections; a section without a title is no evidence', async () => {
  const sections = { ...manual, b: { id: 'b', title: '', text: [' '] }, c: { id: 'c', title: '', text: ['Line.'] } }
  const [corpus] = await read(`${csv}\n1,Why?,>,x,So.`, undefined, sections)
  expect(corpus?.documents.slice(7)).toEqual([{ id: 'c', title: '', text: 'Line.' }])
  expect(corpus?.questions.at(-1)).not.toHaveProperty('evidence')
})

test.each([
  ['Guides>Using Bixby', 's1'],
  ['Features>Using Bixby', 's5'],
  ['Nowhere>Using Bixby', 's1'],
  ['Features>Nowhere>The TV’s  menu', 's6'],
  ['Connections>Connecting with a composite cable (Only for models with COMPONENT IN / AV IN)', 's3'],
  ['Connections>Guides', 's2'],
  ['Guides and more', undefined],
  ['', undefined],
])('maps the path %s to %s', (path, id) => {
  const sections = Object.values(manual).map((item) => ({ id: item.id, title: item.title, text: '' }))
  expect(sectionAt(path, sections)?.id).toBe(id)
})

test('rejects a file without a question', async () => {
  await expect(read(header)).rejects.toThrow(/\.csv: contains no questions/)
})

test.each<[string, number, number]>([[copyOf('emanual'), 1, 2], ...inReferenceData(['emanual', 49, 50] as const)])(
  '%s: the evidence section has most words of %i of the %i answers',
  async (path, result, all) => {
    const [corpus] = await gather(emanual.corpora(path, options()))
    const wordsOf = (text = ''): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    const shares = corpus!.questions.map(({ reference, evidence }) => {
      const section = new Set(wordsOf(corpus?.documents.find(({ id }) => id === evidence?.[0]?.documentId)?.text))
      const answer = new Set(wordsOf(reference.kind === 'answer' ? reference.accepted[0]?.text : ''))
      return [...answer].filter((word) => section.has(word)).length / answer.size
    })
    expect([shares.filter((share) => share > 0.6).length, shares.length]).toEqual([result, all])
  },
)
