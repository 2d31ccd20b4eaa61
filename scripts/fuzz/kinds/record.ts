import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { checkDataset } from '../../../src/cli/commands/data.ts'
import { datasetCopies } from '../../../src/test-support/dataset-copies/dataset-copies.ts'
import { tinyProject } from '../../../src/test-support/tiny.ts'
import { faultIn, said } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { mutateBytes, mutateJson, mutateText, pick } from '../mutate.ts'

/** A file of a dataset's copy. `path` is what a config would name. */
interface RecordFile {
  readonly use: string
  readonly path: string
  readonly file: string
  readonly options: Readonly<Record<string, unknown>>
  readonly whole: Buffer
}

/** Files of every dataset format to corpora: their counts, or one line that says where what is wrong. */
const record: Kind = {
  ...usual,
  name: 'record',
  async open(folder) {
    const files = await recordFiles(folder)
    return {
      make(random) {
        const { use, file, whole } = pick([...files.values()], random)
        const bytes =
          random() < 0.5 ? (mutateRecords(file, whole.toString(), random) ?? mutateBytes(whole, random)) : undefined
        const key = [...files].find(([, one]) => one.use === use && one.whole === whole)?.[0] ?? ''
        return {
          of: key,
          bytes: bytes ?? (isText(file) ? mutateText(whole.toString(), random) : mutateBytes(whole, random)),
        }
      },
      async attempt({ of, bytes }) {
        const one = files.get(of)
        if (!one) return { fault: `there is no file ${of}` }
        const { use, path, options, file, whole } = one
        writeFileSync(file, bytes)
        try {
          const outcomes = []
          for (const onBadRecord of ['stop', 'skip']) {
            const set = Object.entries({ ...options, onBadRecord }).map(([name, value]) => `${name}=${value}`)
            const read = await said(() => checkDataset(path, { use, set, json: true }))
            const fault = faultIn(read) ?? (read.code === 0 ? undefined : lineFault(read.text, folder))
            if (fault !== undefined) return { fault: `onBadRecord=${onBadRecord}: ${fault}` }
            outcomes.push(read.code === 0 ? 'read' : 'refused')
          }
          if (outcomes.join() === 'read,refused') return { fault: 'skipping bad records refuses what is read else' }
          return { outcome: outcomes.join(', then ') }
        } finally {
          writeFileSync(file, whole)
        }
      },
    }
  },
}
export default record

async function recordFiles(folder: string): Promise<ReadonlyMap<string, RecordFile>> {
  const tiny = join(await tinyProject(), 'data')
  const copies = Object.entries(datasetCopies).flatMap(([use, cases]) =>
    cases.map(({ path, options = {} }) => ({
      use,
      path: use === 'sample' ? tiny : path,
      options: options as RecordFile['options'],
    })),
  )
  return new Map(
    copies.flatMap(({ use, path, options }, index) => {
      const whole = statSync(path).isDirectory()
      const home = join(folder, String(index))
      cpSync(whole ? path : dirname(path), home, { recursive: true })
      const named = whole ? home : join(home, basename(path))
      const names = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      return names.map((one): readonly [string, RecordFile] => {
        const file = join(one.parentPath, one.name)
        return [`${use} ${index} ${one.name}`, { use, path: named, file, options, whole: readFileSync(file) }]
      })
    }),
  )
}

const isText = (file: string): boolean => extname(file) !== '.parquet'

/** The records of a JSON file, or one line of a JSONL file, with changed values. */
function mutateRecords(file: string, text: string, random: () => number): Uint8Array | undefined {
  if (file.endsWith('.json')) return Buffer.from(mutateJson(JSON.parse(text), random))
  if (!file.endsWith('.jsonl')) return undefined
  const lines = text.split('\n').filter((line) => line !== '')
  const changed = pick([...lines.keys()], random)
  return Buffer.from(lines.map((line, at) => (at === changed ? mutateJson(JSON.parse(line), random) : line)).join('\n'))
}

/** An error is one line and names a file. */
function lineFault(text: string, folder: string): string | undefined {
  const lines = text.trimEnd().split('\n')
  return lines.length === 1 && text.includes(folder)
    ? undefined
    : `not one line that names a file: ${text.slice(0, 500)}`
}
