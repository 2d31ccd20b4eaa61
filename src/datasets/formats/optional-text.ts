import { readFile } from 'node:fs/promises'
import { loadOptional } from '../../basics/load-optional.ts'
import { messageOf, UserError } from '../../errors.ts'

/** Packages that read what is no text, and are not installed with gembench: their own types would make them dependencies. */
interface Unpdf {
  getDocumentProxy(bytes: Uint8Array): Promise<unknown>
  extractText(pdf: unknown, options: { mergePages: false }): Promise<{ readonly text: readonly string[] }>
}

interface Mammoth {
  extractRawText(input: { buffer: Buffer }): Promise<{ readonly value: string }>
}

/** The text of a PDF file, page by page with blank lines between them; empty for a scan. Throws UserError as `docxText` does. */
export async function pdfText(file: string, name?: string): Promise<string> {
  const unpdf = (await loadOptional({ kind: file, package: 'unpdf', version: '1.4.0' }, name)) as Unpdf
  const pages = await understood(file, 'PDF', async () => {
    const pdf = await unpdf.getDocumentProxy(new Uint8Array(await readFile(file)))
    return (await unpdf.extractText(pdf, { mergePages: false })).text
  })
  return pages.map((page) => page.trim()).join('\n\n')
}

/**
 * The text of a Word file, paragraph by paragraph with blank lines between them. Throws UserError where it cannot be read, and with the
 * command that installs the package that reads it.
 */
export async function docxText(file: string, name?: string): Promise<string> {
  const loaded = (await loadOptional(
    { kind: file, package: 'mammoth', version: '1.13.0' },
    name,
  )) as Partial<Mammoth> & {
    readonly default?: Mammoth
  }
  const mammoth = (loaded.default ?? loaded) as Mammoth
  const { value } = await understood(file, 'DOCX', async () => mammoth.extractRawText({ buffer: await readFile(file) }))
  return value.trim()
}

async function understood<T>(file: string, format: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new UserError(`${file}: cannot be read as ${format} (${messageOf(error)})`, { cause: error })
  }
}
