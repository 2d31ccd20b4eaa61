import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { fakeServer, type FakeServer } from '../test-support/servers/server.ts'
import { run } from './run.ts'
import { score } from '../run/scoring/score-one.ts'

const thai = {
  documents: [
    { text: 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทยและเป็นเมืองที่ใหญ่ที่สุด' },
    { text: 'เชียงใหม่เป็นเมืองทางภาคเหนือที่มีภูเขาและวัดเก่าแก่จำนวนมาก' },
    { text: 'ภูเก็ตเป็นเกาะที่มีชายหาดสวยงามและนักท่องเที่ยวจำนวนมาก' },
  ],
  questions: [
    { question: 'เมืองหลวงของประเทศไทยคือเมืองใด', answer: 'กรุงเทพมหานคร' },
    { question: 'เกาะใดมีชายหาดสวยงาม', answer: 'เกาะภูเก็ต' },
  ],
}

const english = {
  documents: [{ text: 'Tamsin Vale built the mill at Orrin in 1841, and a fire closed it in the spring of 1920.' }],
  questions: [
    { question: 'Who built the mill that stands at Orrin near the river?', answer: 'Tamsin Vale' },
    { question: 'In which year was the old mill at Orrin closed by the fire?', answer: '1920' },
    { question: 'What closed the mill that Tamsin Vale had built at Orrin?', answer: 'a fire' },
  ],
}

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer({ behave: () => ({ reply: 'คำตอบคือกรุงเทพมหานครครับ' }) })
})
afterAll(() => server.close())

async function results(data: typeof thai, scorers: ('squad' | 'rouge')[], isServed = false) {
  const cwd = folderOf({})
  const warnings: string[] = []
  const { folder, rows } = await run(
    {
      dataset: data,
      methods: ['bm25'],
      models: { complete: isServed ? { use: 'openai', baseUrl: server.url, model: 'm' } : 'extractive', embed: 'fake' },
      scorers,
      budget: { passages: 1 },
    },
    { cwd, cache: false, warn: (line) => warnings.push(line) },
  )
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return { folder, rows, warnings, manifest, table: await readFile(join(folder, 'table.md'), 'utf8') }
}

interface Manifest {
  readonly dataset: { readonly language?: string }
}

describe('questions in Thai', () => {
  test('are detected and shown, retrieved by BM25, and scored on Thai words besides the official script', async () => {
    const { rows, warnings, manifest, table } = await results(thai, ['squad', 'rouge'], true)
    expect(manifest.dataset.language).toBe('th')
    expect(warnings).toContain('note: the language of the questions is Thai')
    expect(warnings.join('\n')).not.toContain('extractive')
    expect(table).toContain('2 questions in Thai')
    expect(table).toContain("answers are compared by MLQA's rules for Thai")
    expect(table).toContain('official F1')
    const scores = rows[0]?.scores ?? {}
    expect(scores.f1?.mean).toBeGreaterThan(0)
    expect(scores.officialF1?.mean).toBe(0)
    expect(scores.rouge1?.mean).toBeGreaterThan(0)
    expect(scores.officialRouge1?.mean).toBe(0)
  })

  test('are not supported by the offline provider, which a warning states', async () => {
    const { warnings, table } = await results(thai, ['squad'])
    const extractive = 'The questions are in Thai; extractive has rules for English alone'
    expect(warnings.join('\n')).toContain(extractive)
    expect(table).toContain(extractive)
  })
})

test('questions in English are scored by the official script, without a warning', async () => {
  const { warnings, manifest, table } = await results(english, ['squad'])
  expect(manifest.dataset.language).toBe('en')
  expect(warnings).toEqual([])
  expect(table).toContain('3 questions in English')
  expect(table).not.toContain('official F1')
})

test('one answer is scored in the language of its question, or in that of the option', async () => {
  const asked = { question: '谁在奥林建造了那座磨坊？', reference: '塔姆辛', answer: '是塔姆辛。' }
  expect(await score('squad', asked)).toMatchObject({ metrics: { f1: 6 / 7, officialF1: 0 } })
  const german = { question: 'Was?', reference: 'Mühle', answer: 'die Mühle' }
  expect(await score('squad', german, { options: { language: 'de' } })).toMatchObject({ metrics: { exactMatch: 1 } })
})
