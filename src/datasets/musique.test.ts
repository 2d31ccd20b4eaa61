import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hipporagCopy } from '../test-support/dataset-copies/hipporag-copy.ts'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { folderOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { md5 } from '../text/hash.ts'
import type { Document } from '../types.ts'
import { musique } from './musique.ts'
import { checkDataset } from './shared/check.ts'

const options = (overrides: object = {}) => musique.options.parse(overrides)

const paragraph = (idx: number, title: string, paragraph_text: string, is_supporting = false) => ({
  idx,
  title,
  paragraph_text,
  is_supporting,
})
const step = (question: string, answer: string, paragraph_support_idx: number | null) => ({
  id: 1,
  question,
  answer,
  paragraph_support_idx,
})

const first = {
  id: '2hop__1_2',
  paragraphs: [
    paragraph(0, 'Oslo', 'A city.', true),
    paragraph(1, 'Oslo', 'A film.'),
    paragraph(2, 'Norway', 'A land.', true),
  ],
  question: 'What is the capital of the land? ',
  question_decomposition: [step('Which land?', 'Norway', 2), step('#1 >> capital', 'Oslo', 0)],
  answer: 'Oslo',
  answer_aliases: ['Christiania', 'Oslo', ''],
  answerable: true,
}
const second = {
  ...first,
  id: '3hop1__1_2_3',
  paragraphs: [
    paragraph(0, 'Norway', 'A land.', true),
    paragraph(1, 'Moss', 'A town.', true),
    paragraph(2, 'Ski', 'x'),
  ],
  question_decomposition: [step('Who?', 'Moss', 1), step('What?', 'x', null)],
  answer: 'Moss',
  answer_aliases: [],
}
const twin = {
  ...second,
  paragraphs: [paragraph(0, 'Norway', 'A land.', true), paragraph(1, 'Sea', 'Water.')],
  question_decomposition: [step('Who?', 'Moss', null)],
  answerable: false,
}

/** A folder with the files; gives the first. */
const writeInput = (files: Readonly<Record<string, string>>): string => join(folderOf(files), Object.keys(files)[0]!)

const read = (values: readonly object[], overrides: object = {}) =>
  gather(musique.corpora(writeInput({ 'file.jsonl': jsonl(values) }), options(overrides)))

const id = (title: string, text: string): string => md5(`${title}\n${text}`).slice(0, 16)
const at = (title: string, text: string) => ({ documentId: id(title, text) })

test('a passage is title, line break and paragraph; paragraphs of one title stay separate', async () => {
  const [corpus] = await read([first, second])
  expect(corpus?.id).toBe('musique-all')
  expect(corpus?.documents[0]).toEqual({ id: id('Oslo', 'A city.'), title: 'Oslo', text: 'Oslo\nA city.' })
  expect(corpus?.documents.map(({ text }) => text)).toEqual([
    'Oslo\nA city.',
    'Oslo\nA film.',
    'Norway\nA land.',
    'Moss\nA town.',
    'Ski\nx',
  ])
})

test('evidence follows the hops, then other supporting paragraphs; answer and aliases are accepted', async () => {
  const [corpus] = await read([first, second])
  expect(corpus?.questions).toEqual([
    {
      id: '2hop__1_2',
      text: 'What is the capital of the land?',
      reference: { kind: 'answer', accepted: [{ text: 'Oslo' }, { text: 'Christiania' }] },
      evidence: [at('Norway', 'A land.'), at('Oslo', 'A city.')],
      decomposition: [
        { question: 'Which land?', answer: 'Norway', ...at('Norway', 'A land.') },
        { question: '#1 >> capital', answer: 'Oslo', ...at('Oslo', 'A city.') },
      ],
      tags: ['2hop'],
    },
    expect.objectContaining({
      id: '3hop1__1_2_3',
      evidence: [at('Moss', 'A town.'), at('Norway', 'A land.')],
      decomposition: [
        { question: 'Who?', answer: 'Moss', ...at('Moss', 'A town.') },
        { question: 'What?', answer: 'x' },
      ],
      tags: ['3hop1'],
    }),
  ])
})

test('passages: gold searches supporting paragraphs only, under another corpus id', async () => {
  const [corpus] = await read([first, second], { corpus: 'gold' })
  expect(corpus?.id).toBe('musique-gold')
  expect(corpus?.documents.map(({ title }) => title)).toEqual(['Norway', 'Oslo', 'Moss'])
})

test('skips and counts the unanswerable questions of MuSiQue-Full', async () => {
  const [corpus] = await read([second, twin])
  expect(corpus?.questions.map(({ id }) => id)).toEqual(['3hop1__1_2_3'])
  expect(corpus?.leftOut).toEqual({ 'unanswerable questions': 1 })
})

describe('a configured file of questions', () => {
  const hippo = { 'musique.json': JSON.stringify([first, second]), 'musique_corpus.json': JSON.stringify([]) }
  const official = { 'musique_ans_v1.0_dev.jsonl': jsonl([first]) }
  const filesIn = async (files: Readonly<Record<string, string>>, overrides: object) => {
    const folder = join(writeInput(files), '..')
    return (await musique.files(folder, options(overrides))).map((file) => basename(file))
  }

  test('is read even if other official files are next to it', async () => {
    const byName = { questionFile: 'musique.json' }
    const alone = ['musique.json', 'musique_corpus.json']
    expect(await filesIn(hippo, byName)).toEqual(alone)
    expect(await filesIn({ ...hippo, ...official }, byName)).toEqual(alone)
    // without its name the other one is
    expect(await filesIn({ ...hippo, ...official }, {})).toEqual(['musique_ans_v1.0_dev.jsonl'])
  })

  test('is reported if it is missing or if the path is another file', async () => {
    const byName = options({ questionFile: 'musique_ans_v1.0_dev.jsonl' })
    const file = writeInput(hippo)
    await expect(musique.files(join(file, '..'), byName)).rejects.toThrow(
      'no musique_ans_v1.0_dev.jsonl in this folder (it contains musique.json, musique_corpus.json); put it into this folder, or name a file',
    )
    await expect(musique.files(file, byName)).rejects.toThrow(/musique\.json: is not .* "questionFile"; remove one/)
  })
})

describe('the files of HippoRAG', () => {
  const passages = [
    { title: 'Ski', text: 'x' },
    { title: 'Norway', text: 'A land.' },
    { title: 'Oslo', text: 'A city.' },
    { title: 'Elsewhere', text: 'y' },
    { title: 'Moss', text: 'A town.' },
  ]
  const hippo = (names: readonly [string, string], corpus: readonly object[] = passages): string =>
    writeInput({ [names[0]]: JSON.stringify([first, second]), [names[1]]: JSON.stringify(corpus, null, 1) })
  const titlesOf = async (file: string, overrides: object = {}) =>
    (await gather(musique.corpora(file, options(overrides))))[0]?.documents.map(({ title }) => title)

  test.each([
    ['musique.json', 'musique_corpus.json', null],
    ['musique_train.100.json', 'musique_train_corpus.100.json', null],
    ['a.json', 'b.json', 'b.json'],
  ])('searches the questions of %s in %s', async (questions, corpus, corpusFile) => {
    const file = hippo([questions, corpus])
    expect(await titlesOf(file, { corpusFile })).toEqual(['Ski', 'Norway', 'Oslo', 'Elsewhere', 'Moss'])
    expect(await musique.files(file, options({ corpusFile }))).toEqual([file, join(file, '..', corpus)])
  })

  test.each<[string, object[], object, string]>([
    [
      'a corpus of other questions',
      passages.slice(1, 4),
      {},
      'musique_corpus.json: corpus "musique-all": question "3hop1__1_2_3" has evidence in',
    ],
    ['an absent corpus', passages, { corpusFile: 'x.json' }, 'x.json: no such file; correct the option "corpusFile"'],
  ])('rejects %s', async (_, corpus, overrides, message) => {
    const file = hippo(['musique.json', 'musique_corpus.json'], corpus)
    await expect(checkDataset(musique, file, options(overrides))).rejects.toThrow(message)
  })
})

test.each<[string, number, number]>([
  [hipporagCopy, 7, 6],
  ...inReferenceData(['musique/musique_train.hipporag100.json', 1890, 1764]),
])('the corpus file next to %s has the %i passages and %i titles of its questions', async (file, ...counts) => {
  expect(await musique.files(file, options())).toEqual([file, file.replace(/(?=(\.\w+)?\.json$)/, '_corpus')])
  const alone = writeInput({ 'alone.json': readFileSync(file, 'utf8') })
  const [beside] = await gather(musique.corpora(file, options()))
  const [without] = await gather(musique.corpora(alone, options()))
  const byId = (all: readonly Document[] = []) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(without?.documents)).toEqual(byId(beside?.documents))
  expect(without?.questions).toEqual(beside?.questions)
  expect([beside?.documents.length, new Set(beside?.documents.map(({ title }) => title)).size]).toEqual(counts)
})
