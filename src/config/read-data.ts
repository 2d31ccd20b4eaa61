import { resolve } from 'node:path'
import type { ZodType } from 'zod'
import { reportIssues } from './errors/report-issues.ts'
import { emptyErrorList } from './errors/error-list.ts'
import { parseYaml } from './source/parse-yaml.ts'
import { plainValue } from './source/located-value.ts'
import { readText } from './source/read-text.ts'

/** A YAML or JSON file that fits a schema. Throws UserError with one line `file:line:column: what is wrong` for each mistake, at most ten. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const errors = emptyErrorList()
  const { report } = errors
  const text = await readText(resolve(cwd, file), file, report)
  const at = (line: number, column: number) => ({
    text: `${file}:${line}:${column}`,
    order: [1, line, column],
    folder: cwd,
  })
  const root = text === undefined ? undefined : parseYaml(text, at, report)
  errors.stop()
  if (!root) throw new Error('an error in a file was not reported')
  const result = schema.safeParse(plainValue(root))
  if (result.success) return result.data
  reportIssues(result.error.issues, { node: root, schema, path: [], besides: [], report, hide: (words) => words })
  errors.stop()
  throw new Error('an error in a file was not reported')
}
