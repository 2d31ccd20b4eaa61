import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chunk } from '../../../src/chunking/index.ts'
import { messageOf } from '../../../src/errors.ts'
import { methods } from '../../../src/methods/index.ts'
import { tokenizer } from '../../../src/text/tokens.ts'
import { growthPage, growthRow, measurement, sizes, type Growth, type Measured } from './page.ts'
import { growthText } from './text.ts'
import { childArguments, small, type BenchRow } from '../row.ts'

/** Of one index, by the clock. */
const minutes = 30

const run = promisify(execFile)
const page = fileURLToPath(new URL('GROWTH.md', import.meta.url))

/** What an index of every method but `command` costs as the corpus grows, each in a process; writes GROWTH.md. */
export async function growthBench(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-growth-'))
  try {
    const files = await Promise.all(sizes.map((size) => writeText(folder, size)))
    const all: Growth[] = []
    for (const name of methods.names.filter((item) => (small ? item === 'bm25' : item !== 'command'))) {
      const bySize: Measured[] = []
      for (const file of files) bySize.push(await measure(name, file))
      all.push({ method: name, bySize })
      const { figure, note } = growthRow({ method: name, bySize })
      process.stderr.write(`${name}: ${figure}${note === undefined ? '' : `; ${note}`}\n`)
    }
    if (!small) await writeFile(page, growthPage(all))
    return all.map(growthRow)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The file of so many chunks of 100 tokens of one document. */
async function writeText(folder: string, size: number): Promise<string> {
  const file = join(folder, `${size}.json`)
  const document = { id: 'chronicle', text: growthText(size) }
  const chunks = chunk(document, 0, { size: 100, overlap: 0, by: 'tokens' }, tokenizer('o200k_base'))
  if (chunks.length < size) throw new Error(`the text of ${size} paragraphs has ${chunks.length} chunks alone`)
  await writeFile(file, JSON.stringify(chunks.slice(0, size)))
  return file
}

async function measure(method: string, file: string): Promise<Measured> {
  try {
    const { stdout } = await run(process.execPath, [...childArguments('growth/child.ts'), method, file], {
      timeout: minutes * 60_000,
    })
    return measurement.parse(JSON.parse(stdout))
  } catch (error) {
    const isKilled = error instanceof Error && 'killed' in error && error.killed === true
    const message = messageOf(error).trim().split('\n').at(-1) ?? ''
    return { failed: isKilled ? `not done after ${minutes} minutes` : `failed: ${message}` }
  }
}
