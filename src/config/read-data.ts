import { resolve } from 'node:path'
import type { ZodType } from 'zod'
import { explain } from './explain.ts'
import { noMistakes } from './mistakes.ts'
import { parseYaml } from './parse-yaml.ts'
import { plain } from './placed.ts'
import { readText } from './read-text.ts'

/** A YAML or JSON file that fits a schema. Throws UserError with one line `file:line:column: what is wrong` for each mistake, at most ten. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const mistakes = noMistakes()
  const { report } = mistakes
  const text = await readText(resolve(cwd, file), file, report)
  const at = (line: number, column: number) => ({
    text: `${file}:${line}:${column}`,
    order: [1, line, column],
    folder: cwd,
  })
  const root = text === undefined ? undefined : parseYaml(text, at, report)
  mistakes.stop()
  if (!root) throw new Error('a mistake in a file went unreported')
  const result = schema.safeParse(plain(root))
  if (result.success) return result.data
  explain(result.error.issues, { node: root, schema, path: [], besides: [], report, hide: (words) => words })
  mistakes.stop()
  throw new Error('a mistake in a file went unreported')
}
