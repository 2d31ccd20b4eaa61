import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../text/nearest.ts'
import type { ReportError } from '../errors/error-list.ts'

const mostBytes = 1_000_000

/** The text of a config file without its byte order mark; undefined, and reported, when it cannot be one. `shown` is its name in messages. */
export async function readText(file: string, shown: string, report: ReportError): Promise<string | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of createReadStream(file, { end: mostBytes })) parts.push(part as Buffer)
  } catch (error) {
    report(shown, await reason(error, file, shown))
    return undefined
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length > mostBytes) {
    report(shown, 'is larger than 1 MB; is this a config?')
    return undefined
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    report(shown, 'is not UTF-8 text; is this a config?')
    return undefined
  }
}

async function reason(error: unknown, file: string, shown: string): Promise<string> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EISDIR') return 'is a folder; name a config file in it'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code ?? 'unknown reason'})`
  const beside = await readdir(dirname(file)).catch(() => [])
  const near = nearest(basename(file), beside.filter((name) => /\.(ya?ml|json)$/.test(name)).sort())
  return `no such file${near ? `; did you mean "${join(dirname(shown), near)}"?` : ''}`
}
