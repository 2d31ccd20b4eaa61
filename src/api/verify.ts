import { basename, join, resolve } from 'node:path'
import { isRegularFile, readRegular } from '../basics/files.ts'
import { scrub } from '../basics/secrets.ts'
import { SpendingLimitError, UserError } from '../errors.ts'
import { plural } from '../report/render/amounts.ts'
import { render } from '../report/render/formats.ts'
import { tableOf } from '../report/table/table.ts'
import {
  callsIn,
  doubledLines,
  lackingCalls,
  openResults,
  recordedModels,
  replayAnswers,
  replayRun,
  rescoredAlike,
  withKeptCalls,
  type ReplayedTrials,
  type ScoreDifferences,
  type Results,
} from '../run/index.ts'
import type { ResultsPlace } from './open-run.ts'
import { tableFiles } from './write-tables.ts'

export interface VerifySettings extends ResultsPlace {
  /** Folder of kept calls, for a results folder without calls of its own (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether files, programs and addresses that the folder names may be followed (default: false). */
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

export async function verify(
  name: string,
  {
    results: root = 'results',
    cacheFolder = '.cache',
    trust = false,
    signal = new AbortController().signal,
  }: VerifySettings = {},
): Promise<Verified> {
  const results = await openResults(name, root)
  const runs = results.runs ?? [results]
  const checks: Check[] = []
  for (const run of runs)
    checks.push(...(await checksOf(run, resolve(cacheFolder), trust, signal)).map(named(runs, run)))
  checks.push(...(await tables(results)))
  return { folder: results.folder, ok: checks.every(({ ok }) => ok !== false && ok !== null), checks }
}

/** Of a series each check names its run. */
const named =
  (runs: readonly Results[], { folder }: Results) =>
  (one: Check): Check =>
    runs.length > 1 ? { ...one, check: `${folder}: ${one.check}` } : one

async function checksOf(
  run: Results,
  cacheFolder: string,
  trust: boolean,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const first = [await digests(run), await lines(run)]
  const replayed = async (kept: string | undefined): Promise<readonly Check[]> => {
    const settings = { cache: kept !== undefined, cacheFolder: kept ?? cacheFolder, signal }
    return [
      await calls(run, kept),
      await asked('answers', kept === undefined ? undefined : () => replayAnswers(run, settings)),
      await asked('retrieval', kept === undefined ? undefined : () => retrieved(run, settings, trust)),
      await scores(run, settings, trust),
    ]
  }
  try {
    return [...first, ...(await withKeptCalls(run.folder, cacheFolder, replayed))]
  } catch (error) {
    return [...first, { check: 'calls', ok: null, said: userMessage(error) }]
  }
}

type ReplaySettings = Parameters<typeof replayAnswers>[1]

/** The message of a mistake that a person can mend; anything else is thrown. */
function userMessage(error: unknown): string {
  if (error instanceof UserError) return error.message
  throw error
}

async function digests(run: Results): Promise<Check> {
  const check = 'digests'
  const { checksums = {}, finished } = run.manifest
  if (finished === null || !checksums.manifest)
    return { check, ok: null, said: 'the manifest has none: the run has not ended' }
  const changed = await run.changed()
  return changed.length > 0
    ? { check, ok: false, said: `${changed.join(', ')} not as the run left it` }
    : { check, ok: true, said: `${Object.keys(checksums).join(', ')} as the run left them` }
}

/** Whether every trial, and every score of it, has one line. */
async function lines(run: Results): Promise<Check> {
  const check = 'lines'
  const doubled = Object.entries(await doubledLines(run.folder)).filter(([, numbers]) => numbers.length > 0)
  if (doubled.length === 0) return { check, ok: true, said: 'one for each trial and each score' }
  const said = doubled.map(([name, numbers]) => `${name}.jsonl has ${plural(numbers.length, 'line')} more than ids`)
  return {
    check,
    ok: false,
    said: `${said.join(', ')}: two runs wrote them, or they were edited; the last of an id counts`,
  }
}

/** Where calls stand beside the run, whether they are all that it has used: with them it repeats without a network. */
async function calls(run: Results, kept: string | undefined): Promise<Check> {
  const check = 'calls'
  const file = callsIn(run.folder)
  if (file === undefined || kept === undefined)
    return {
      check,
      said: 'not in this folder; "gembench publish" writes them beside the lines of a run that has ended',
    }
  try {
    const { used, lacking } = await lackingCalls(run, kept)
    const said =
      lacking === 0
        ? `all ${used} that the run has used are in ${basename(file)}: it repeats without a call`
        : `${lacking} of the ${used} that the run has used are not in ${basename(file)}`
    return { check, ok: lacking === 0, said }
  } catch (error) {
    return { check, ok: null, said: userMessage(error) }
  }
}

/** Whether trials come out as their lines say when they are asked again from kept calls. */
async function asked(check: string, again: (() => Promise<ReplayedTrials>) | undefined): Promise<Check> {
  if (!again) return { check, said: 'not asked again: no calls are kept' }
  try {
    const { same, differ, not, indexes = [], missing = [], uncompared } = await again()
    const left = Object.entries(not).map(([why, count]) => `${count} not asked again (${why})`)
    const count = plural(same + differ.length, 'trial')
    const notCompared = uncompared === undefined ? [] : [`not compared: ${uncompared}`]
    const faults = Object.entries({
      'other outcomes': differ,
      'indexes that cost otherwise': indexes,
      'trials without a line': missing,
    }).flatMap(([what, ids]) => (ids.length > 0 ? [`${what}: ${ids.slice(0, 3).join(', ')}`] : []))
    const all = [
      `${same} of ${count} the same when asked again from kept calls`,
      ...faults,
      ...left,
      ...notCompared,
    ].join('; ')
    if (faults.length > 0) return { check, ok: false, said: all }
    return same > 0 ? { check, ok: true, said: all } : { check, said: left.join('; ') || 'no trial to ask again' }
  } catch (error) {
    return { check, said: `not asked again: ${userMessage(error)}` }
  }
}

/** A method may retrieve otherwise after a failed call: a difference tells only where every call is kept. */
async function retrieved(run: Results, settings: ReplaySettings, trusted: boolean): Promise<ReplayedTrials> {
  const { lacking } = await lackingCalls(run, settings.cacheFolder)
  if (lacking > 0) throw new UserError(`${plural(lacking, 'call')} of the run not kept`)
  return replayRun(run, settings, trusted)
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

async function scores(run: Results, settings: ReplaySettings, trusted: boolean): Promise<Check> {
  const check = 'scores'
  try {
    const { lines, missing, added, others } = await scoredAgain(run, settings, trusted)
    const rest = others.length === 0 ? '' : `; not scored again: ${others.join(', ')} (another one in this version)`
    if (lines + added === 0)
      return rest === ''
        ? { check, said: 'not in this folder: the run has made none' }
        : { check, ok: null, said: rest.slice(2) }
    if (missing + added === 0)
      return { check, ok: true, said: `${plural(lines, 'line')} the same when scored again without a network${rest}` }
    return { check, ok: false, said: `of ${plural(lines, 'line')}, ${missing} not made again and ${added} made anew` }
  } catch (error) {
    if (isLimited(error)) return { check, ok: null, said: 'needs calls that are not kept' }
    return { check, ok: null, said: userMessage(error) }
  }
}

/** Where the judge is not followed, or its calls are kept under an earlier version of it, its kept calls answer. */
async function scoredAgain(run: Results, settings: ReplaySettings, trusted: boolean): Promise<ScoreDifferences> {
  try {
    return await rescoredAlike(run, settings, { trusted })
  } catch (error) {
    if (!isLimited(error) && (!(error instanceof UserError) || trusted)) throw error
    return rescoredAlike(run, settings, { recorded: recordedModels(run.manifest) })
  }
}

const isLimited = (error: unknown): boolean =>
  error instanceof SpendingLimitError || (error instanceof Error && error.cause instanceof SpendingLimitError)
