import { LineCounter, parseDocument, isSeq, type Node } from 'yaml'
import { messageOf, UserError } from '../../errors.ts'
import type { JsonRecord } from './json-records.ts'

const mostCharacters = 20_000_000

/** The items of a list in YAML, and the line on which each begins. Throws UserError naming file, line and column of what is malformed. */
export function yamlRecords(file: string, text: string): readonly JsonRecord[] {
  if (text.length > mostCharacters) throw new UserError(`${file}: is too large for YAML; write JSONL, an object a line`)
  const lines = new LineCounter()
  const place = (offset = 0): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [problem] = document.errors
    if (problem) throw new UserError(`${place(problem.pos[0])}: malformed YAML (${messageOf(problem)})`)
    const { contents } = document
    if (!isSeq(contents))
      throw new UserError(`${place(contents?.range[0])}: expected a list of questions: "- question: …"`)
    // the document resolves aliases, and bounds how often
    const values = document.toJS() as readonly unknown[]
    return contents.items.map((item, index) => ({
      line: lines.linePos((item as Node | null)?.range?.[0] ?? 0).line,
      value: values[index],
    }))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${file}: malformed YAML (${messageOf(error)})`, { cause: error })
  }
}
