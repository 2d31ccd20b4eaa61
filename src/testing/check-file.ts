import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { command } from '../methods/command/command.ts'
import { importFile, mark, type PlugIns } from '../run/plug-ins/import-plug-in.ts'
import type { ProviderKind } from '../models/index.ts'
import type { Dataset, Method, Scorer } from '../types.ts'
import { datasetFindings } from './dataset.ts'
import { methodFindings } from './method.ts'
import { modelFindings } from './model.ts'
import { scorerFindings } from './scorer.ts'

/** The input of a check: options, and for a dataset the path of a copy. */
interface FileCase {
  readonly options: Readonly<Record<string, unknown>>
  readonly path?: string
}

/** A plug-in with its findings, a line each. */
export interface CheckedPlugIn {
  readonly kind: Kind
  readonly name: string
  readonly findings: readonly string[]
}

type Kind = keyof PlugIns

/** Checks every plug-in that a file exports. Throws UserError where it exports none. */
export async function checkFile(file: string, fileCase: FileCase): Promise<readonly CheckedPlugIn[]> {
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new UserError(`${file}: no such file; expected one that exports a method, scorer, dataset or provider`)
  const items = [...new Set(Object.values(await importFile(resolve(file), file)))].filter(isNamed)
  const plugIns = items.flatMap((item) => {
    const kind = kinds.find((name) => mark[name] in item)
    return kind === undefined ? [] : [{ kind, item }]
  })
  if (items.length === 0)
    throw new UserError(
      `${file}: exports no method, scorer, dataset or provider; write one with: gembench init --new method NAME`,
    )
  if (plugIns.length === 0)
    throw new UserError(
      `${file}: "${items[0]?.name}" is no plug-in: a method has index(…), a scorer score(…), a dataset corpora(…), a provider open(…); use defineMethod and the like`,
    )
  const results: CheckedPlugIn[] = []
  for (const { kind, item } of plugIns)
    results.push({ kind, name: item.name, findings: await findingsOf(kind, item, fileCase) })
  return results
}

function findingsOf(kind: Kind, item: Named, { options, path }: FileCase): Promise<readonly string[]> {
  if (kind === 'method') return methodFindings(item as Method, { options })
  if (kind === 'scorer') return scorerFindings(item as Scorer, { options })
  if (kind === 'provider') return modelFindings(item as ProviderKind, { options })
  return datasetFindings(item as Dataset, path === undefined ? { options } : { options, path })
}

/** Runs the checks of a method on a program, as `command` runs it. Throws UserError where it cannot be started. */
export async function checkProgram(
  file: string,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly CheckedPlugIn[]> {
  const program = { run: [...interpreterOf(file), resolve(file)], folder: resolve('.'), ...options }
  const parsing = command.options.safeParse(program)
  if (parsing.success) await command.program?.(parsing.data)
  const { name } = command
  return [{ kind: 'method', name, findings: await methodFindings(command, { options: program }) }]
}

const interpreterOf = (file: string): readonly string[] =>
  /\.py$/.test(file) ? ['python3'] : /\.[cm]?js$/.test(file) ? [process.execPath] : []

interface Named {
  readonly name: string
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'name') === 'string'

const kinds = Object.keys(mark) as readonly Kind[]
