import { isAbsolute, relative, sep } from 'node:path'
import { UserError } from '../../errors.ts'
import type { Dataset, Method, Scorer } from '../../types.ts'
import { checkPlugIn } from './check-plug-in.ts'
import { importFile } from './import-file.ts'

export interface PlugIns {
  readonly method: Method
  readonly scorer: Scorer
  readonly dataset: Dataset
}

const mark = { method: 'index', scorer: 'score', dataset: 'corpora' } as const

/** Loads the one plug-in of that kind that a file exports into this process, checked. Throws UserError. */
export async function importPlugIn<K extends keyof PlugIns>(kind: K, file: string): Promise<PlugIns[K]> {
  const shown = shownPath(file)
  const found = candidates(kind, await importFile(file, shown))
  const [plugIn] = found
  if (plugIn === undefined || found.length > 1) {
    throw new UserError(
      `${shown}: exports ${found.length} ${kind}s, expected one: export const mine = define${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}({ name, summary, options, ${mark[kind]}(…) { … } })`,
    )
  }
  checkPlugIn(kind, plugIn, shown)
  return plugIn as PlugIns[K]
}

/** `./mine.ts` where it lies below the working folder, and otherwise the path as it is. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : `./${path.split(sep).join('/')}`
}

/** Exported values with the function of the kind, or else those with a name, whose faults are then told. */
function candidates(kind: keyof PlugIns, module: Readonly<Record<string, unknown>>): readonly object[] {
  const exported = [...new Set(Object.values(module))].filter(isObject)
  const marked = exported.filter((value) => mark[kind] in value)
  if (marked.length > 0) return marked
  return exported.filter((value) => 'name' in value && !Object.values(mark).some((field) => field in value))
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object'
