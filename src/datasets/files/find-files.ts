import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { mark } from '../../basics/graph-mark.ts'
import { messageOf, UserError } from '../../errors.ts'
import { exists } from '../shared/official-file.ts'
import { formatOf, formats as allFormats, type Format } from './formats.ts'

/** A file of documents: its path, its name seen from the folder with "/" between the parts, and its kind. */
export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly format: Format
}

/** The files of a folder in the order of the bytes of their names, and what else lies there, counted. */
export interface FoundFiles {
  readonly files: readonly FoundFile[]
  readonly leftOut: Readonly<Record<string, number>>
}

/**
 * The files of documents at a path: itself, or all in a folder and in those below. Left out are hidden files and folders, symbolic links,
 * empty files, `except`, what gembench wrote, and kinds that are not read. Throws UserError where the path or a folder cannot be read.
 */
export async function findFiles(
  path: string,
  { formats = allFormats, except }: { readonly formats?: readonly Format[] | undefined; readonly except?: string },
): Promise<FoundFiles> {
  const there = await stat(path).catch(() => undefined)
  if (!there) throw new UserError(`${path}: no such file or folder; correct dataset.documents`)
  if (!there.isDirectory()) {
    const format = formatOf(basename(path))
    if (!format) throw new UserError(`${path}: a file of this kind cannot be read; ${readable}`)
    return { files: [{ path, name: basename(path), format }], leftOut: {} }
  }
  const leftOut = new Map<string, number>()
  const leave = (what: string): void => void leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
  const not = except === undefined ? undefined : await realpath(except).catch(() => undefined)
  const files: FoundFile[] = []
  async function look(folder: string, above: string): Promise<void> {
    if (await isResults(folder)) {
      leave('results folders of gembench')
      return
    }
    for (const entry of await entriesOf(folder)) {
      const [file, name] = [join(folder, entry.name), `${above}${entry.name}`]
      if (entry.name.startsWith('.')) leave('hidden files and folders')
      else if (entry.isSymbolicLink()) leave('symbolic links')
      else if (entry.isDirectory() && entry.name === 'node_modules') leave('folders node_modules')
      else if (entry.isDirectory()) await look(file, `${name}/`)
      else if (!entry.isFile()) leave('what is neither file nor folder')
      else if ((await realpath(file)) !== not && name !== 'gembench.yaml') {
        const format = formatOf(entry.name)
        if (!format || !formats.includes(format))
          leave(`files ${extname(entry.name).toLowerCase() || 'without an extension'}`)
        else if ((await stat(file)).size === 0) leave('empty files')
        else if (format === 'html' && (await isGraphPage(file))) leave('pages of gembench graph')
        else files.push({ path: file, name, format })
      }
    }
  }
  await look(path, '')
  files.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  return { files, leftOut: Object.fromEntries([...leftOut].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** What is read, for messages. */
export const readable = 'documents are .txt, .md, .html, .pdf, .docx, .jsonl, .json and .csv'

const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UserError(`${folder}: cannot be read (${messageOf(error)})`, { cause: error })
  })

const isResults = async (folder: string): Promise<boolean> =>
  (await exists(join(folder, 'manifest.json'))) && (await exists(join(folder, 'trials.jsonl')))

/** A page that `gembench graph` made says so near its beginning. */
async function isGraphPage(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    return buffer.toString('utf8', 0, bytesRead).includes(mark)
  } finally {
    await handle.close()
  }
}
