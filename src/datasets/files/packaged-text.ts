import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { resolveOptional, type OptionalPackage } from '../../basics/loading.ts'
import { messageOf, UserError } from '../../errors.ts'
import { zipEntries } from '../download/unpack.ts'

/** The text of a PDF file, a blank line between pages; empty for a scan. Throws UserError as `docxText` does. */
export const pdfText = (file: string, from?: string): Promise<string> =>
  understood(file, 'PDF', async () => {
    const url = urlOf(file, unpdf, from)
    return pdfReader(await readFile(file), url)
  })

/**
 * The text of a Word file, paragraph by paragraph with blank lines between them. Throws UserError where it cannot be
 * read, and with the command that installs the package that reads it. `from`: the address of a module in place of it.
 */
export const docxText = (file: string, from?: string): Promise<string> =>
  understood(file, 'DOCX', async () => {
    const url = urlOf(file, mammoth, from)
    const bytes = await readFile(file)
    refuseLarge(bytes)
    return docxReader(bytes, url)
  })

const unpdf = { package: 'unpdf', version: '1.4.0' }
const mammoth = { package: 'mammoth', version: '1.13.0' }

/** Throws UserError, with the command that installs it, where the package that reads such a file is not there. */
export const findReader = (file: string, format: 'pdf' | 'docx'): void =>
  void resolveOptional({ kind: file, ...(format === 'pdf' ? unpdf : mammoth) })

const urlOf = (file: string, wanted: Omit<OptionalPackage, 'kind'>, from?: string): string =>
  from ?? pathToFileURL(resolveOptional({ kind: file, ...wanted })).href

/** Bytes of all texts in a Word file: those of a long novel have a tenth of it. */
const mostText = 128 * 1024 ** 2

/** Throws Error, before anything is unpacked, where a Word file unpacks to more than its package can hold. */
function refuseLarge(archive: Uint8Array): void {
  const parts = zipEntries(archive).filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  const bytes = parts.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostText) throw new Error(`its texts unpack to ${bytes} bytes, more than ${mostText}`)
  // one that says less than it has is found when it is unpacked
  for (const { data } of parts) data()
}

async function understood(file: string, format: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${file}: cannot be read as ${format} (${messageOf(error)})`, { cause: error })
  }
}

/** What reading one file may take: a scanned book of a thousand pages needs a tenth of it. */
const most = { heapMegabytes: 1024, bytes: 1024 ** 3, seconds: 300 }

/** Milliseconds between two looks at the memory. */
const lookMs = 100

/**
 * Reads bytes by a package, whose module stands at an address, in a thread of its own: a file of some kilobytes may
 * unpack to more than memory holds, and the package does not ask before. The thread serves many files; it ends where
 * one takes too much, which throws Error.
 */
function threadOf(code: string): (bytes: Uint8Array, url: string) => Promise<string> {
  const oneByOne = pLimit(1)
  let living: { readonly url: string; readonly thread: Worker } | undefined
  const threadFor = (url: string): Worker => {
    if (living?.url !== url) {
      void living?.thread.terminate()
      const thread = new Worker(serving(code), {
        ...{ eval: true, workerData: url, execArgv: [], stdout: true, stderr: true },
        resourceLimits: { maxOldGenerationSizeMb: most.heapMegabytes },
      })
      // told to who waits
      thread.on('error', () => undefined)
      living = { url, thread }
    }
    return living.thread
  }
  const read = (bytes: Uint8Array, url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const thread = threadFor(url)
      const before = process.memoryUsage.rss()
      const over = (settle: () => void): void => {
        clearTimeout(late)
        clearInterval(looking)
        thread.off('message', hear).off('error', fail).off('exit', gone).unref()
        settle()
      }
      const end = (error: Error): void => {
        living = undefined
        over(() => void thread.terminate().then(() => reject(error)))
      }
      const hear = ({ text, error }: Said): void =>
        over(() => (text === undefined ? reject(new Error(error)) : resolve(text)))
      const fail = (error: NodeJS.ErrnoException): void =>
        end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : error)
      const gone = (): void => end(new Error('its reader has ended'))
      const late = setTimeout(() => end(new Error(`it takes more than ${most.seconds} s`)), most.seconds * 1000)
      const looking = setInterval(() => {
        if (process.memoryUsage.rss() - before > most.bytes) end(tooLarge)
      }, lookMs)
      thread.ref()
      thread.on('message', hear).on('error', fail).on('exit', gone)
      thread.postMessage(bytes)
    })
  return (bytes, url) => oneByOne(() => read(bytes, url))
}

const tooLarge = new Error(`it takes more than ${most.heapMegabytes} MiB of memory`)

interface Said {
  readonly text?: string
  readonly error?: string
}

const serving = (code: string): string => `
const { parentPort, workerData } = require('node:worker_threads')
const loaded = import(workerData)
parentPort.on('message', async (bytes) => {
  try {
    const module = await loaded
    parentPort.postMessage({ text: await (${code})(module, bytes) })
  } catch (error) {
    parentPort.postMessage({ error: String(error?.message ?? error) })
  }
})`

const pdfReader = threadOf(`async ({ getDocumentProxy, extractText }, bytes) => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false })
  return text.map((page) => page.trim()).join('\\n\\n')
}`)

const docxReader = threadOf(`async (module, bytes) => {
  const { value } = await (module.default ?? module).extractRawText({ buffer: Buffer.from(bytes) })
  return value.trim()
}`)
