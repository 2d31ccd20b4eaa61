import { open } from 'node:fs/promises'

/** Stands near the beginning of every file that `gembench graph` writes, so that it overwrites only its own. */
export const mark = 'made by gembench graph'

/** Stands near the beginning of every page that `gembench report` writes. */
export const reportMark = 'made by gembench report'

/** Stands at the beginning of every file of weights that `gembench train` writes. */
export const trainMark = 'made by gembench train'

/** The columns of a file of human labels, as `gembench judge sample` writes it. */
export const labelColumns = (withContext: boolean): readonly string[] => [
  ...['id', 'scorer', 'question', 'answer', 'reference'],
  ...(withContext ? ['context', 'verdict'] : ['verdict']),
]

/** The first bytes of a file, 200 or as many as are wanted, as text. Throws what the file system says. */
export async function beginningOf(file: string, bytes = 200): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Whether a file that begins so was written by gembench: a graph in any format, a report, weights, or a file of human labels, also as a spreadsheet saves it. */
export const isOfGembench = (beginning: string): boolean => graph.test(beginning) || labels.test(beginning)

const graph = new RegExp(
  `^(?:(?:<[^>]*>\\s*)?<!-- (?:${mark}|${reportMark}) -->|\\{\\s*"mark": ?"(?:${mark}|${trainMark})")`,
)
const headers = [true, false].map((withContext) => labelColumns(withContext).join('[,;\\t]'))
const labels = new RegExp(`^\\uFEFF?(?:${headers.join('|')})\\s*\\n`)
