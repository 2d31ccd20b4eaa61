import { type CsvRow, csvRows } from '../../formats/csv-rows.ts'
import { wholeText } from '../../formats/text-file.ts'
import type { FilesOptions } from './options.ts'

/** A file of CSV or TSV. */
export interface CsvTable {
  readonly isEmpty: boolean
  /** Whether each row is a document, its text under "text". */
  readonly hasText: boolean
  /** The original name of the column that holds questions. */
  readonly question: string | undefined
  /** The names of the columns, which may be empty or the same, by their keys in the rows. */
  readonly names: ReadonlyMap<string, string>
  /** They can be read once. */
  readonly rows: AsyncIterable<CsvRow>
}

/** Opens a table; `text`: the column of texts. Throws UserError naming file and line of what is malformed. */
export async function csvTable(
  path: string,
  { encoding, text, columns }: Pick<FilesOptions, 'encoding' | 'text'> & Partial<Pick<FilesOptions, 'columns'>>,
): Promise<CsvTable> {
  const names = new Map<string, string>()
  const keyOf = (name: string): string => {
    const column = name === text ? 'text' : plainColumn(name)
    // a document has each of these once; names in the file do not begin with a space
    const isKey = name !== '' && (documentColumns.includes(column) || !names.has(column))
    const key = isKey ? column : ` ${names.size}`
    names.set(key, name)
    return key
  }
  const rows = csvRows(path, await wholeText(path, encoding), { rename: keyOf })
  const first = await rows.next()
  const questions = new Set(['question', ...[columns?.question ?? []].flat().map((name) => name.toLowerCase())])
  return {
    isEmpty: first.done === true,
    hasText: names.has('text'),
    question: [...names.values()].find((name) => questions.has(name.toLowerCase())),
    names,
    rows: first.done === true ? rows : withFirst(first.value, rows),
  }
}

async function* withFirst(first: CsvRow, rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  yield first
  yield* rows
}

const documentColumns = ['id', '_id', 'title', 'text']

/** A column of documents by its plain name: as those of questions, it may be written in any case. */
const plainColumn = (name: string): string => documentColumns.find((column) => column === name.toLowerCase()) ?? name

/**
 * A table as text: a paragraph of one line for each row, "Name: X; Price: 3", so that no part of the text that is cut
 * between paragraphs or sentences lacks the names of its columns. Empty cells are left out.
 */
export async function tableText({ names, rows }: Pick<CsvTable, 'names' | 'rows'>): Promise<string> {
  const lines: string[] = []
  for await (const { value } of rows) {
    const cells = [...names].flatMap(([key, name]) => {
      const cell = (value[key] ?? '').replace(/\s+/g, ' ').trim()
      if (cell === '') return []
      return name === '' ? cell : `${name.replace(/\s+/g, ' ')}: ${cell}`
    })
    if (cells.length > 0) lines.push(cells.join('; '))
  }
  return lines.join('\n\n')
}
