import { basename } from 'node:path'
import { SpendingLimitError, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { doubledLines } from '../results/read-lines.ts'
import type { Results } from '../results/results.ts'
import { callsIn, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { recordedModels } from './recorded-models.ts'
import { replayAnswers, type ReplayedTrials } from './replay-answers.ts'
import { replayRun } from './replay-run.ts'
import { rescoredAlike, type ScoreDifferences } from './rescored-alike.ts'

/** One check. `ok`: null where it could not be made, left out where the folder holds nothing of the kind. */
export interface Check {
  readonly check: string
  readonly ok?: boolean | null
  readonly said: string
}

/** Whether a run is as it was left, and its trials and scores come out again. No model is called. */
export async function checksOf(
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
