import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../../../../basics/files.ts'

/** What a batch may ask of the server. */
export type BatchPath = '/chat/completions' | '/embeddings'

/** What is known of a batch that was sent: never a key, and no text of a request. */
export interface BatchRecord {
  /** Its own name, which the server keeps with it. */
  readonly name: string
  readonly baseUrl: string
  readonly path: BatchPath
  /** The file of its requests on the server. */
  readonly fileId: string
  /** Absent from when it was about to be made until it was: it may be there or not. */
  readonly batchId?: string
  /** Digests of the requests whose replies may still be asked for. */
  readonly requests: readonly string[]
}

const form = z.object({
  ...{ name: z.string(), baseUrl: z.string(), path: z.enum(['/chat/completions', '/embeddings']) },
  ...{ fileId: z.string(), batchId: z.string().exactOptional(), requests: z.array(z.string()) },
})

/** A file a batch in a folder. */
export interface BatchFiles {
  /** The batches of an address that were sent in the last 30 days (as long as the API keeps replies), the earliest first; a damaged file is as none. */
  read(baseUrl: string): readonly BatchRecord[]
  write(record: BatchRecord): void
  remove(name: string): void
}

const keptMilliseconds = 30 * 86_400_000

/** The batches in a folder, which is made with the first. */
export function batchFiles(folder: string): BatchFiles {
  const fileOf = (name: string): string => join(folder, `${name}.json`)
  const remove = (name: string): void => rmSync(fileOf(name), { force: true })
  return {
    remove,
    read(baseUrl) {
      const now = performance.timeOrigin + performance.now()
      const known = namesIn(folder).flatMap((name) => {
        const written = statSync(fileOf(name)).mtimeMs
        const record = now - written < keptMilliseconds ? recordIn(fileOf(name)) : undefined
        if (!record) remove(name)
        return record?.baseUrl === baseUrl ? [{ record, written }] : []
      })
      return known.sort((a, b) => a.written - b.written).map(({ record }) => record)
    },
    write(record) {
      makeFolder(folder)
      // at once: a process that ends between two steps would not find its batch again
      writeFileSync(`${fileOf(record.name)}.part`, JSON.stringify(record))
      renameSync(`${fileOf(record.name)}.part`, fileOf(record.name))
    },
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
  } catch {
    return []
  }
}

function recordIn(file: string): BatchRecord | undefined {
  try {
    return form.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
