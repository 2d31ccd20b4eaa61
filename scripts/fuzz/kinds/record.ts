import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { checkDataset } from '../../../src/cli/commands/data.ts'
import { datasetCopies } from '../../../src/test-support/dataset-copies/dataset-copies.ts'
import { tinyProject } from '../../../src/test-support/tiny.ts'
import { checkRefusal, capture } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { mutateBytes, mutateRecords, pick } from '../mutate.ts'

/** A file of a dataset's copy. `path` is what a config would name. */
interface RecordFile {
  readonly use: string
  readonly path: string
  readonly file: string
  readonly options: Readonly<Record<string, unknown>>
  readonly content: Buffer
}

/** Files of every dataset format to corpora: their counts, or one line that says where what is wrong. */
const record: Kind = {
  ...usual,
  name: 'record',
  async open(folder) {
    const files = await recordFiles(folder)
    return {
      make(random) {
        const [of, { file, content }] = pick([...files], random)
        const isText = extname(file) !== '.parquet'
        return { of, bytes: isText ? mutateRecords(file, content.toString(), random) : mutateBytes(content, random) }
      },
      async attempt({ of, bytes }) {
        const recordFile = files.get(of)
        if (!recordFile) return { fault: `there is no file ${of}` }
        const { use, path, options, file, content } = recordFile
        writeFileSync(file, bytes)
        try {
          const outcomes = []
          for (const onBadRecord of ['stop', 'skip']) {
            const set = Object.entries({ ...options, onBadRecord }).map(([name, value]) => `${name}=${value}`)
            const output = await capture(() => checkDataset(path, { use, set, json: true }))
            const verdict = checkRefusal(output, folder) ?? { outcome: 'read' }
            if ('fault' in verdict) return { fault: `onBadRecord=${onBadRecord}: ${verdict.fault}` }
            outcomes.push(verdict.outcome)
          }
          if (outcomes.join() === 'read,refused')
            return { fault: 'skipping malformed records refuses what is read otherwise' }
          return { outcome: outcomes.join(', then ') }
        } finally {
          writeFileSync(file, content)
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
      const isFolder = statSync(path).isDirectory()
      const home = join(folder, String(index))
      cpSync(isFolder ? path : dirname(path), home, { recursive: true })
      const datasetPath = isFolder ? home : join(home, basename(path))
      const names = readdirSync(home, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
      return names.map((item): readonly [string, RecordFile] => {
        const file = join(item.parentPath, item.name)
        return [`${use} ${index} ${item.name}`, { use, path: datasetPath, file, options, content: readFileSync(file) }]
      })
    }),
  )
}
