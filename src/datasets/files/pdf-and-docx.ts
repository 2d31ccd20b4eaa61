import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { zipSync } from 'fflate'
import pLimit from 'p-limit'
import { resolveOptional } from '../../basics/loading.ts'
import { failureOf } from '../../errors.ts'
import { htmlText } from '../../formats/html-text.ts'
import { zipEntries } from '../download/unpack.ts'
import { pageText, type PdfItem } from './pdf-page.ts'
import { mendedWordXml, wordStyles } from './word-xml.ts'

/** The text of a PDF file, a blank line between pages; empty for a scan. Throws UserError as `docxText` does. */
export const pdfText = (file: string, from?: string): Promise<string> =>
  readAs('pdf', file, from, async (bytes, url) => {
    const pages = await pdfReader(bytes, url)
    return pages.map((items) => pageText(items).trim()).join('\n\n')
  })

/**
 * The text of a Word file, its notes at the end, without hidden and deleted text. Throws UserError where it cannot be
 * read or its package is missing. `from`: the address of a module in place of the package.
 */
export const docxText = (file: string, from?: string): Promise<string> =>
  readAs('docx', file, from, async (bytes, url) => {
    const html = await docxReader(mendArchive(bytes), url)
    return htmlText(html.replace(backLinks, '')).text
  })

/** The optional packages that read documents, by format. */
const readers = {
  pdf: { package: 'unpdf', version: '1.4.0' },
  docx: { package: 'mammoth', version: '1.13.0' },
} as const

/** Throws UserError, with the command that installs it, where the package that reads such a file is not there. */
export const findReader = (file: string, format: 'pdf' | 'docx'): void =>
  void resolveOptional({ kind: file, ...readers[format] })

/** Bytes of all texts in a Word file: those of a long novel have a tenth of it. */
const mostText = 128 * 1024 ** 2

/** From a note back to where it is referred to. */
const backLinks = / *<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g

/** A Word file as mammoth can read it. Throws Error, before unpacking, for texts beyond memory. */
function mendArchive(archive: Uint8Array) {
  const entries = zipEntries(archive).filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostText) throw new Error(`its texts unpack to ${bytes} bytes, more than ${mostText}`)
  // a member that declares too small a size fails when it is unpacked
  const parts = entries.map(({ name, data }) => [name, data()] as const)
  const styles = wordStyles(parts.find(([name]) => name === 'word/styles.xml')?.[1].toString() ?? '')
  const mend = ([name, data]: (typeof parts)[number]) =>
    [name, /^word\/[^/]+\.xml$/.test(name) ? Buffer.from(mendedWordXml(data.toString(), styles)) : data] as const
  return zipSync(Object.fromEntries(parts.map(mend)), { level: 0 })
}

async function readAs(
  format: keyof typeof readers,
  file: string,
  from: string | undefined,
  read: (bytes: Uint8Array, url: string) => Promise<string>,
) {
  try {
    const url = from ?? pathToFileURL(resolveOptional({ kind: file, ...readers[format] })).href
    return await read(await readFile(file), url)
  } catch (error) {
    throw failureOf(`${file}: cannot be read as ${format.toUpperCase()}`, error)
  }
}

/** What reading one file may take: a scanned book of a thousand pages needs a tenth of it. */
const most = { heapMegabytes: 1024, bytes: 1024 ** 3, seconds: 300 }

/** Milliseconds between two looks at the memory. */
const lookMs = 100

/** Reads bytes by a package in a thread, which serves many files and ends where one exceeds the limits. */
function threadOf<Result>(format: 'pdf' | 'docx'): (bytes: Uint8Array, url: string) => Promise<Result> {
  const queue = pLimit(1)
  let living: { readonly url: string; readonly thread: Worker } | undefined
  const threadFor = (url: string): Worker => {
    if (living?.url !== url) {
      void living?.thread.terminate()
      const thread = new Worker(new URL('./reader-thread.js', import.meta.url), {
        workerData: { url, format },
        execArgv: [],
        stdout: true,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: most.heapMegabytes },
      })
      // the waiting call gets the error
      thread.on('error', () => undefined)
      living = { url, thread }
    }
    return living.thread
  }
  const read = (bytes: Uint8Array, url: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const thread = threadFor(url)
      const before = process.memoryUsage.rss()
      const over = (settle: () => void) => {
        clearTimeout(late)
        clearInterval(looking)
        thread.off('message', receive).off('error', fail).off('exit', exit).unref()
        settle()
      }
      const end = (error: Error) => {
        living = undefined
        over(() => void thread.terminate().then(() => reject(error)))
      }
      const receive = ({ result, error }: Said<Result>) =>
        over(() => (result === undefined ? reject(new Error(error)) : resolve(result)))
      const fail = (error: NodeJS.ErrnoException) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : error)
      const exit = () => end(new Error('its reader has ended'))
      const late = setTimeout(() => end(new Error(`it takes more than ${most.seconds} s`)), most.seconds * 1000)
      const looking = setInterval(() => {
        if (process.memoryUsage.rss() - before > most.bytes) end(tooLarge)
      }, lookMs)
      thread.ref()
      thread.on('message', receive).on('error', fail).on('exit', exit)
      thread.postMessage(bytes)
    })
  return (bytes, url) => queue(() => read(bytes, url))
}

const tooLarge = new Error(`it takes more than ${most.heapMegabytes} MiB of memory`)

interface Said<Result> {
  readonly result?: Result
  readonly error?: string
}

/** The pieces of text on each page. */
const pdfReader = threadOf<readonly (readonly PdfItem[])[]>('pdf')

/** The HTML of a Word file. */
const docxReader = threadOf<string>('docx')
