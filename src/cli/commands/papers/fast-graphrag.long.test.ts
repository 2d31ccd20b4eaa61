import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { gembench } from '../../../test-support/cli.ts'

const configs = fileURLToPath(new URL('../../../../configs', import.meta.url))
const recordings = fileURLToPath(new URL('../../../../../shared/data/recorded', import.meta.url))
const theirs = ['fast-graphrag', 'nano-graphrag', 'LightRAG', 'vector database']

/** A folder with the config of fast-graphrag's claims and its table. */
async function projectOf(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'gembench-fast-graphrag-'))
  await mkdir(join(project, 'configs/paper'), { recursive: true })
  for (const name of ['fast-graphrag-2wiki.yaml', 'paper/fast-graphrag-2wiki.json'])
    await cp(join(configs, name), join(project, 'configs', name))
  await mkdir(join(project, 'datasets/2wikimultihopqa'), { recursive: true })
  return project
}

const reproduce = (project: string, ...more: readonly string[]) =>
  gembench(project, 'reproduce', 'configs/paper/fast-graphrag-2wiki.json', ...more)

interface Reproduced {
  readonly cells: readonly { readonly row: string; readonly column: string; readonly ours: number }[]
  readonly claims: readonly Claimed[]
}

interface Claimed {
  readonly outcome: string
  readonly pairs: readonly Readonly<Record<string, unknown>>[]
}

test.skipIf(!existsSync(recordings))(
  'the published lists give the published shares, and LightRAG above a vector database is not supported (shared/data beside the repository)',
  async () => {
    const project = await projectOf()
    await symlink(join(recordings, 'fast-graphrag'), join(project, 'datasets/fast-graphrag'))
    const corpus = '2wikimultihopqa_corpus.json'
    await symlink(join(recordings, 'multihop', corpus), join(project, 'datasets/2wikimultihopqa', corpus))
    const rows = [...theirs, 'nano-graphrag with cut titles', 'LightRAG with cut titles']
    const { out } = await reproduce(project, '--json', '--only', rows.join(','))
    const { cells, claims } = JSON.parse(out) as Reproduced
    const counts = cells.map(({ row, column, ours }) => [row, column.includes('8'), Math.round(ours * 101 * 1e9) / 1e9])
    expect(counts).toEqual([
      ['fast-graphrag', true, 94],
      ['nano-graphrag', true, 74],
      ['LightRAG', true, 45],
      ['vector database', true, 42],
      ['nano-graphrag', false, 74],
      ['nano-graphrag with cut titles', false, 75],
      ['LightRAG', false, 45],
      ['LightRAG with cut titles', false, 50],
    ])
    expect(claims.map(({ outcome }) => outcome)).toEqual(['supported', 'supported', 'not supported', 'not supported'])
    expect(claims[2]?.pairs).toMatchObject([{ win: 18, loss: 15, test: 'McNemar', questions: 101 }])
    expect(claims[2]?.pairs[0]?.['p']).toBeCloseTo(0.7283, 4)
  },
)

test('reads an invented copy of the recordings', async () => {
  const project = await projectOf()
  const titles = Array.from({ length: 40 }, (_, at) => (at === 1 ? 'Bell 1: The Great' : `Bell ${at}`))
  const passages = titles.map((title, at) => ({ title, text: `It was cast in ${1400 + at}.` }))
  await writeFile(join(project, 'datasets/2wikimultihopqa/2wikimultihopqa_corpus.json'), JSON.stringify(passages))
  // each method finds all titles of its first so many questions; the one with a colon is cut
  const resultsOf = (results: number) =>
    Array.from({ length: 12 }, (_, at) => ({
      question: `When was bell ${at} cast?`,
      answer: '',
      ground_truth: [titles[at]],
      evidence: [at < results ? `Bell ${at}` : 'Bell 39', 'Bell 38'],
    }))
  const files = { graph: 12, nano: 11, lightrag: 3, vdb: 2 }
  for (const [folder, results] of Object.entries(files)) {
    const name = `2wikimultihopqa_101${folder === 'nano' || folder === 'lightrag' ? '_local' : ''}.json`
    await mkdir(join(project, 'datasets/fast-graphrag/results', folder), { recursive: true })
    const text = JSON.stringify(resultsOf(results), null, 1)
    await writeFile(join(project, 'datasets/fast-graphrag/results', folder, name), text)
  }
  const rows = ['--only', [...theirs, 'LightRAG with cut titles', 'gembench bm25'].join(',')]
  const { out, code } = await reproduce(project, '--full', ...rows)
  expect(code).toBe(0)
  // 101 questions were asked, and here are 12
  expect(out).toMatch(/^fast-graphrag +0\.9300 +0\.9167 ±\d\.\d+ +– +not comparable/m)
  expect(out).toMatch(/^LightRAG with cut titles +– +0\.2500/m)
  expect(out).toMatch(
    /^LightRAG above vector database +\+0\.\d+ \(.*\) +1 : 0 +12 +1\.0000 \(McNemar\) +not supported$/m,
  )
  expect(out).toMatch(/^not comparable: this run has 12 questions, the paper asked 101$/m)
})
