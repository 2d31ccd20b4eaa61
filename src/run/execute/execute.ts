import pLimit from 'p-limit'
import { itemAt } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { circuitBreaker } from '../../models/index.ts'
import type { Failure, TrialLine } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { Corpus, Index } from '../../types.ts'
import { forEachLimited } from '../for-each-limited.ts'
import { distinctEntries } from '../prepare/method-entries.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { callCounts, type Counts, type Progress } from '../progress.ts'
import { openTrials } from '../results/journal.ts'
import { storedLines } from '../results/read-lines.ts'
import type { BuiltIndex } from './build-index.ts'
import { chunkWithModels } from './chunk-corpus.ts'
import { outcomeOf, skipFailure, type Executor, type TrialAt } from './run-trial.ts'
import { workItems, type OpenIndex, type WorkItem } from './work-items.ts'

/**
 * Makes the unfinished indexes and trials and appends their lines; `onTrial` is called with each new trial once it is
 * written. After an error, or once `signal` is raised, nothing begins; what is under way ends, and then the error is
 * thrown.
 */
export async function execute(
  setup: Prepared,
  folder: string,
  executor: Executor,
  onTrial: (trial: TrialLine) => Promise<void>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const { plan, corpora, models, statistics } = setup
  const methods = distinctEntries(setup.methods)
  const { finishedIds, usable } = await readFinishedIds(folder, setup)
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(usable.has(id)))
  const halting = new AbortController()
  const run: Run = {
    models,
    executor,
    onTrial,
    progress,
    lines: await openTrials(folder),
    calls: callCounts(),
    counts: { made: 0, kept: finishedIds.trials.size, failed: 0 },
    limit: pLimit(executor.concurrency),
    signal: AbortSignal.any([signal, halting.signal]),
    openIndexes: new Set(),
  }
  /** Work that waits begins, so that it ends, too. */
  const halt = (error: unknown): never => {
    halting.abort(error)
    for (const { id } of methods) breakerOf(id).release()
    throw error
  }
  const underWay = new Set<Promise<void>>()
  /** Runs an item, and resolves when the index of another one may be begun. */
  const begin = (item: WorkItem): Promise<void> =>
    new Promise((next, fail) => {
      const onLastBegin = executor.indexesAhead > 0 ? next : () => undefined
      const running = runItem(run, item, onLastBegin).catch(halt)
      underWay.add(running)
      running.finally(() => underWay.delete(running)).then(next, fail)
    })
  const chunkingContext = { models, seed: plan.seed, onUsage: run.calls.onUsage }
  const chunk = (corpus: Corpus) => chunkWithModels(corpus, plan.chunks, chunkingContext)
  const total = statistics.order.questions.size * methods.length * plan.repeats
  progress.start('ask', total - run.counts.kept, run.calls.soFar)
  try {
    const items = workItems({ ...plan, methods, corpora, chunk, breakerOf }, finishedIds)
    await forEachLimited(items, executor.indexesAhead + 1, begin).catch(halt)
    await Promise.all(underWay)
  } catch (error) {
    await Promise.allSettled(underWay)
    halting.signal.throwIfAborted()
    throw error
  } finally {
    progress.end('ask')
    run.lines.close()
    await Promise.all([...run.openIndexes].map((index) => closeIndex(run, index)))
  }
  return run.counts
}

/** What the items of one execution share. */
interface Run {
  readonly models: Prepared['models']
  readonly executor: Executor
  readonly onTrial: (trial: TrialLine) => Promise<void>
  readonly progress: Progress
  readonly lines: Awaited<ReturnType<typeof openTrials>>
  readonly calls: ReturnType<typeof callCounts>
  readonly counts: { -readonly [K in keyof Counts]: Counts[K] }
  readonly limit: ReturnType<typeof pLimit>
  /** Raised at the end of the run, and at the first error. */
  readonly signal: AbortSignal
  readonly openIndexes: Set<Index>
}

/**
 * Builds the indexes of an item and asks them; one after the other, but for questions that are under way.
 * `onLastBegin`: the last question begins.
 */
async function runItem(run: Run, item: WorkItem, onLastBegin: () => void) {
  const first = await buildIndex(run, item, itemAt(item.indexes, 0))
  if (!first.isStochastic) return askIndex(run, item, first, item.indexes, onLastBegin)
  const asking: Promise<void>[] = []
  try {
    for (const [place, openIndex] of item.indexes.entries()) {
      const builtIndex = place === 0 ? first : await buildIndex(run, item, openIndex)
      await new Promise<void>((onBegin, fail) => {
        const questions = askIndex(run, item, builtIndex, [openIndex], onBegin)
        asking.push(questions)
        questions.catch(fail)
      })
    }
    onLastBegin()
  } finally {
    await Promise.allSettled(asking)
  }
  await Promise.all(asking)
}

async function buildIndex(run: Run, { entry, source }: WorkItem, { at, isNew }: OpenIndex) {
  const { executor, calls, progress, signal, openIndexes } = run
  signal.throwIfAborted()
  progress.at?.('ask', `index of ${rowName(entry.row)}`)
  const builtIndex = await executor.build(at, entry, source, calls.onUsage)
  if (builtIndex.index?.close) openIndexes.add(builtIndex.index)
  if (builtIndex.line.failure) signal.throwIfAborted()
  // an index without random numbers is that of the first repeat, which has its line
  if (isNew && (at.repeat === 0 || builtIndex.isStochastic)) append(run, builtIndex)
  return builtIndex
}

/** Runs the open trials of an index, and closes it. */
async function askIndex(
  run: Run,
  item: WorkItem,
  builtIndex: BuiltIndex,
  indexes: readonly OpenIndex[],
  onLastBegin: () => void,
): Promise<void> {
  function* openTrials() {
    for (const { trials } of indexes) yield* trials()
  }
  let waiting = indexes.reduce((sum, { count }) => sum + count, 0)
  if (waiting === 0) onLastBegin()
  await forEachLimited(openTrials(), Math.min(run.executor.concurrency, waiting), async (trial) => {
    const begin = (failure: Failure | undefined): Promise<TrialLine> =>
      run.limit(() => {
        if (--waiting === 0) onLastBegin()
        return answer(run, item, trial, builtIndex, failure)
      })
    await item.breaker.run(trial.place, begin, ({ failure, usage }) =>
      failure?.phase === 'index' ? 'neutral' : outcomeOf(failure, Object.values(usage)),
    )
  })
  await closeIndex(run, builtIndex.index)
}

/** Runs a trial; once the circuit breaker of its system is open, it fails without a call. */
async function answer(
  run: Run,
  { entry, source }: WorkItem,
  trial: TrialAt,
  index: BuiltIndex,
  failure: Failure | undefined,
): Promise<TrialLine> {
  const { executor, onTrial, progress, calls, counts, signal } = run
  signal.throwIfAborted()
  progress.at?.('ask', rowName(entry.row))
  const target = failure ? failedIndex(index, skipFailure(failure, 'the row')) : index
  const outcome = await executor.ask(trial, entry, target, source, calls.onUsage)
  const { line } = outcome
  // it may have failed for the end of the run
  if (line.failure) signal.throwIfAborted()
  append(run, outcome)
  await onTrial(line)
  counts.made++
  if (line.failure) counts.failed++
  progress.tick('ask', line.failure !== undefined)
  return line
}

/** An index without its functions: its trials fail with that failure. */
const failedIndex = ({ index: _notAsked, ...builtIndex }: BuiltIndex, failure: Failure): BuiltIndex => ({
  ...builtIndex,
  line: { ...builtIndex.line, failure },
})

type Outcome = Awaited<ReturnType<Executor['ask']>> | BuiltIndex

function append({ lines, models }: Run, { line, usage }: Outcome) {
  lines.append(line, usage)
  models.sentCalls.clear(usage)
}

async function closeIndex({ openIndexes }: Run, index: Index | undefined) {
  if (index && openIndexes.delete(index)) await index.close?.()
}

async function readFinishedIds(folder: string, { methods, plan, statistics }: Prepared) {
  const ids = new Set(methods.map(({ id }) => id))
  const { questions } = statistics.order
  const finishedIds = { indexes: new Set<string>(), trials: new Set<string>() }
  const usable = new Set<string>()
  for await (const { value: line } of storedLines(folder, { isUnique: true })) {
    const { id, methodId, failure } = line
    const isAsked = line.line === 'index' || (questions.has(line.question.id) && line.repeat < plan.repeats)
    if (!ids.has(methodId) || !isAsked) continue
    const lines = line.line === 'index' ? finishedIds.indexes : finishedIds.trials
    if (failure) lines.delete(id)
    else lines.add(id)
    if (!failure && line.line === 'trial') usable.add(methodId)
  }
  return { finishedIds, usable }
}
