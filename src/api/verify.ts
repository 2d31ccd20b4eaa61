import { basename, join } from 'node:path'
import { isRegularFile, readRegular } from '../basics/files.ts'
import { scrub } from '../basics/secrets.ts'
import { SpendingLimitError, UserError } from '../errors.ts'
import { plural } from '../report/render/amounts.ts'
import { render } from '../report/render/formats.ts'
import { tableOf } from '../report/table/table.ts'
import { callsIn, lackingCalls, openResults, rescoredAlike, type Results } from '../run/index.ts'
import type { ResultsPlace } from './open-run.ts'
import { tableFiles } from './write-tables.ts'

export interface VerifySettings extends ResultsPlace {
  /** Whether files and addresses that the folder names may be followed (default: false). */
  readonly trust?: boolean
  readonly signal?: AbortSignal
}

/** One check. `ok`: null where it could not be made, left out where the folder holds nothing of the kind. */
export interface Check {
  readonly check: string
  readonly ok?: boolean | null
  readonly said: string
}

export interface Verified {
  readonly folder: string
  /** Whether everything that could be checked is as it was, and everything could. */
  readonly ok: boolean
  readonly checks: readonly Check[]
}

/** Checks files, tables and scores of a results folder against its lines. Throws UserError where it is none. */
export async function verify(
  name: string,
  { results: root = 'results', trust = false, signal = new AbortController().signal }: VerifySettings = {},
): Promise<Verified> {
  const results = await openResults(name, root)
  const runs = results.runs ?? [results]
  const checks: Check[] = []
  for (const run of runs) {
    const of = runs.length > 1 ? `${run.folder}: ` : ''
    checks.push(await digests(run, of), await calls(run, of), await scores(run, of, signal, trust))
  }
  checks.push(...(await tables(results)))
  return { folder: results.folder, ok: checks.every(({ ok }) => ok !== false && ok !== null), checks }
}

async function digests(run: Results, of: string): Promise<Check> {
  const check = `${of}digests`
  const { checksums = {}, finished } = run.manifest
  if (finished === null || !checksums.manifest)
    return { check, ok: null, said: 'the manifest has none: the run has not ended' }
  const changed = await run.changed()
  return changed.length > 0
    ? { check, ok: false, said: `${changed.join(', ')} not as the run left it` }
    : { check, ok: true, said: `${Object.keys(checksums).join(', ')} as the run left them` }
}

/** Where calls stand beside the run, whether they are all that it has used: with them it repeats without a network. */
async function calls(run: Results, of: string): Promise<Check> {
  const check = `${of}calls`
  const file = callsIn(run.folder)
  if (file === undefined)
    return {
      check,
      said: 'not in this folder; "gembench publish" writes them beside the lines of a run that has ended',
    }
  try {
    const { used, lacking } = await lackingCalls(run, file)
    const said =
      lacking === 0
        ? `all ${used} that the run has used are in ${basename(file)}: it repeats without a call`
        : `${lacking} of the ${used} that the run has used are not in ${basename(file)}`
    return { check, ok: lacking === 0, said }
  } catch (error) {
    if (error instanceof UserError) return { check, ok: null, said: error.message }
    throw error
  }
}

/** Every table file, made again from the lines. */
async function tables(results: Results): Promise<readonly Check[]> {
  const { manifest, folder } = results
  const table = await tableOf(manifest, results)
  const found: Check[] = []
  for (const [format, file] of tableFiles) {
    const path = join(folder, file)
    const written = isRegularFile(path) ? await readRegular(path) : undefined
    const check = file
    if (written === undefined) found.push({ check, ok: null, said: 'is not there' })
    else if (written === scrub(render(format, manifest, table)))
      found.push({ check, ok: true, said: 'the same bytes when made again from the lines' })
    else found.push({ check, ok: false, said: 'other bytes when made again from the lines' })
  }
  return found
}

async function scores(run: Results, of: string, signal: AbortSignal, trusted: boolean): Promise<Check> {
  const check = `${of}scores`
  try {
    const { lines, missing, added } = await rescoredAlike(run, signal, { trusted })
    if (lines + added === 0) return { check, said: 'not in this folder: the run has made none' }
    if (missing + added === 0)
      return { check, ok: true, said: `${plural(lines, 'line')} the same when scored again without a network` }
    return { check, ok: false, said: `of ${plural(lines, 'line')}, ${missing} not made again and ${added} made anew` }
  } catch (error) {
    if (error instanceof SpendingLimitError || isLimited(error))
      return { check, ok: null, said: 'needs calls that the calls in the folder do not hold' }
    if (error instanceof UserError) return { check, ok: null, said: error.message }
    throw error
  }
}

const isLimited = (error: unknown): boolean => error instanceof Error && error.cause instanceof SpendingLimitError
