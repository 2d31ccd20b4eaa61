import { memoise } from '../../basics/memoise.ts'
import { circuitBreaker, type OpenedModels } from '../../models/index.ts'
import type { Failure, MeterLine, TrialLine } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { Corpus, Index } from '../../types.ts'
import { forEachLimited } from '../for-each-limited.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { DatasetOrder } from '../prepare/dataset-statistics.ts'
import { files, openJournal } from '../results/journal.ts'
import { timingLines, storedLines } from '../results/read-lines.ts'
import { openTrials } from '../results/write-trials.ts'
import type { TrialAt } from './run-trial.ts'
import { skipFailure, outcomeOf } from './breaker-outcome.ts'
import type { BuiltIndex } from './build-index.ts'
import { callCounts, type CallCounts, type Counts, type OnUsage, type Progress } from '../progress.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { Executor } from './executor.ts'
import { workItems, type LineIds, type OpenIndex, type OpenTrial, type Repeats, type WorkItem } from './work-items.ts'

export interface Execution extends Repeats {
  /** The results folder. */
  readonly folder: string
  readonly methods: readonly MethodEntry[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly order: DatasetOrder
  readonly chunk: (corpus: Corpus, onUsage: OnUsage) => Promise<ChunkedCorpus>
  readonly models: Pick<OpenedModels, 'sentCalls'>
  /** Called with each new trial once it is written. */
  readonly onTrial?: (trial: TrialLine) => Promise<void>
}

/**
 * Builds the indexes and asks the questions that are not finished, and appends their lines to trials.jsonl. After an
 * error, or once `signal` is raised, nothing begins; what is under way ends, and then the error is thrown.
 */
export async function execute(
  execution: Execution,
  executor: Executor,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const { methods, order, repeats } = execution
  const { finished: finishedIds, usable } = await readFinishedIds(execution)
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(usable.has(id)))
  const calls = callCounts()
  const output = await openOutput(execution, progress)
  const limit = rankedLimit(executor.concurrency)
  const stop = stopper(signal, () => methods.forEach(({ id }) => breakerOf(id).release()))
  const run: Run = { executor, calls, output, limit, stop, signal, openIndexes: new Set() }
  const chunk = (corpus: Corpus) => execution.chunk(corpus, calls.onUsage)
  const items = workItems({ ...execution, chunk, breakerOf: ({ id }) => breakerOf(id) }, finishedIds)
  const underWay = new Set<Promise<void>>()
  let nextRank = 0
  /** Runs an item, and resolves when the index of another one may be begun. */
  const begin = (item: WorkItem): Promise<void> =>
    new Promise((next, fail) => {
      const onLastBegin = executor.indexesAhead > 0 ? next : () => undefined
      const running = runItem(run, item, nextRank++, onLastBegin).catch((error: unknown) => stop.halt(error))
      underWay.add(running)
      running.finally(() => underWay.delete(running)).then(next, fail)
    })
  progress.start('ask', order.questions.size * methods.length * repeats - finishedIds.trials.size, calls.soFar)
  try {
    await forEachLimited(items, executor.indexesAhead + 1, begin).catch((error: unknown) => stop.halt(error))
    await Promise.all(underWay)
  } catch (error) {
    await Promise.allSettled(underWay)
    throw stop.firstError() ?? error
  } finally {
    progress.end('ask')
    output.close()
    await Promise.all([...run.openIndexes].map((index) => closeIndex(run, index)))
  }
  return { ...output.counts(), kept: finishedIds.trials.size }
}

/** What the items of one execution share. */
interface Run {
  readonly executor: Executor
  readonly calls: CallCounts
  readonly output: Awaited<ReturnType<typeof openOutput>>
  readonly limit: ReturnType<typeof rankedLimit>
  readonly stop: ReturnType<typeof stopper>
  readonly signal: AbortSignal
  readonly openIndexes: Set<Index>
}

/**
 * Builds the indexes of an item and asks them; one after the other, but for questions that are under way.
 * `onLastBegin` is called when the last question begins.
 */
async function runItem(run: Run, item: WorkItem, rank: number, onLastBegin: () => void): Promise<void> {
  const [first, ...later] = item.indexes
  if (!first) return
  const firstIndex = await buildIndex(run, item, first)
  if (!firstIndex.isStochastic) return askIndex(run, item, firstIndex, item.indexes, rank, onLastBegin)
  const asking: Promise<void>[] = []
  /** Resolves when the last question of the index begins. */
  const ask = (openIndex: OpenIndex, builtIndex: BuiltIndex): Promise<void> =>
    new Promise((onBegin, fail) => {
      const questions = askIndex(run, item, builtIndex, [openIndex], rank, onBegin)
      asking.push(questions)
      questions.catch(fail)
    })
  try {
    await ask(first, firstIndex)
    for (const openIndex of later) await ask(openIndex, await buildIndex(run, item, openIndex))
    onLastBegin()
  } finally {
    await Promise.allSettled(asking)
  }
  await Promise.all(asking)
}

async function buildIndex(
  { executor, calls, output, stop, signal, openIndexes }: Run,
  { entry, source }: WorkItem,
  { at, isNew }: OpenIndex,
): Promise<BuiltIndex> {
  stop.check()
  const building = (onUsage: OnUsage) => executor.build(at, entry, source, onUsage)
  const builtIndex = await calls.index(rowName(entry.row), building)
  if (builtIndex.index?.close) openIndexes.add(builtIndex.index)
  if (builtIndex.line.failure) signal.throwIfAborted()
  // an index without random numbers is that of the first repeat, which has its line
  if (isNew && (at.repeat === 0 || builtIndex.isStochastic)) output.append(builtIndex)
  return builtIndex
}

/** Runs the open trials of an index, and closes it. */
async function askIndex(
  run: Run,
  item: WorkItem,
  builtIndex: BuiltIndex,
  indexes: readonly OpenIndex[],
  rank: number,
  onLastBegin: () => void,
): Promise<void> {
  let waiting = indexes.reduce((sum, { count }) => sum + count, 0)
  if (waiting === 0) onLastBegin()
  // as many wait as run, so that the next question is always one of the lowest rank
  await forEachLimited(trialsOf(indexes), Math.min(2 * run.executor.concurrency, waiting), async (trial) => {
    const begin = (failure: Failure | undefined): Promise<TrialLine> =>
      run.limit(rank, () => {
        if (--waiting === 0) onLastBegin()
        return answer(run, item, trial, builtIndex, failure)
      })
    await item.breaker.run(trial.place, begin, outcomeOf)
  })
  await closeIndex(run, builtIndex.index)
}

/** Runs a trial; once the circuit breaker of its system is open, it fails without a call. */
async function answer(
  { executor, calls, output, stop, signal }: Run,
  { entry, source }: WorkItem,
  trial: TrialAt,
  index: BuiltIndex,
  failure: Failure | undefined,
): Promise<TrialLine> {
  stop.check()
  output.begin(entry)
  const target = failure ? failedIndex(index, skipFailure(failure, 'the row')) : index
  const outcome = await executor.ask(trial, entry, target, source, calls.onUsage)
  // it may have failed for the end of the run
  if (outcome.line.failure) signal.throwIfAborted()
  await output.appendTrial(outcome)
  return outcome.line
}

async function closeIndex({ openIndexes }: Run, index: Index | undefined): Promise<void> {
  if (index && openIndexes.delete(index)) await index.close?.()
}

type TrialOutcome = Awaited<ReturnType<Executor['ask']>>
type Outcome = TrialOutcome | Pick<BuiltIndex, 'line' | 'usage'>

/** Appends lines to the files of a results folder, and reports and counts the trials. */
async function openOutput({ folder, models, onTrial }: Execution, progress: Progress) {
  const trials = await openTrials(folder)
  const meters = await openJournal<MeterLine>(files(folder).meter)
  let trialCount = 0
  let failed = 0
  const append = ({ line, usage }: Outcome): void => {
    trials.append(line)
    models.sentCalls.clear(usage)
    for (const mark of timingLines(line, usage)) meters.append(mark)
  }
  return {
    begin: ({ row }: MethodEntry): void => progress.at?.('ask', rowName(row)),
    append,
    async appendTrial({ line, usage }: TrialOutcome): Promise<void> {
      append({ line, usage })
      await onTrial?.(line)
      trialCount++
      if (line.failure) failed++
      progress.tick('ask', line.failure !== undefined)
    },
    counts: () => ({ made: trialCount, failed }),
    close(): void {
      trials.close()
      meters.close()
    },
  }
}

/** Stops an execution at its first error. `onHalt` starts what waits, so that it ends, too. */
function stopper(signal: AbortSignal, onHalt: () => void) {
  let first: { readonly error: unknown } | undefined
  return {
    /** Throws once the execution is stopped. */
    check(): void {
      if (first) throw first.error
      signal.throwIfAborted()
    },
    halt(error: unknown): never {
      first ??= { error }
      onHalt()
      throw error
    },
    firstError: (): unknown => first?.error,
  }
}

function* trialsOf(indexes: readonly OpenIndex[]): Generator<OpenTrial> {
  for (const { trials } of indexes) yield* trials()
}

/** What trials.jsonl has of the work, but for failures; and the systems of which a question was answered. */
async function readFinishedIds({ folder, methods, order, repeats }: Execution) {
  const ids = new Set(methods.map(({ id }) => id))
  const finishedIds = { indexes: new Set<string>(), trials: new Set<string>() } satisfies LineIds
  const usable = new Set<string>()
  for await (const { value: line } of storedLines(folder, { isUnique: true })) {
    const { id, methodId, failure } = line
    const isAsked = line.line === 'index' || (order.questions.has(line.question.id) && line.repeat < repeats)
    if (!ids.has(methodId) || !isAsked) continue
    const lines = line.line === 'index' ? finishedIds.indexes : finishedIds.trials
    if (failure) lines.delete(id)
    else lines.add(id)
    if (!failure && line.line === 'trial') usable.add(methodId)
  }
  return { finished: finishedIds, usable }
}

/** An index without its functions: its trials fail with that failure. */
function failedIndex({ index: _notAsked, ...builtIndex }: BuiltIndex, failure: Failure): BuiltIndex {
  return { ...builtIndex, line: { ...builtIndex.line, failure } }
}

/** Lets so much work run at the same time; of what waits, that of the lowest rank begins first. */
function rankedLimit(limit: number): <T>(rank: number, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<number, (() => void)[]>()
  let running = 0
  const startNext = (): void => {
    const first = Math.min(...waiting.keys())
    const queue = waiting.get(first) ?? []
    const begin = queue.shift()
    if (queue.length === 0) waiting.delete(first)
    if (begin) begin()
    else running--
  }
  return async (rank, work) => {
    if (running < limit) running++
    else
      await new Promise<void>((begin) => {
        const queue = waiting.get(rank) ?? []
        waiting.set(rank, queue)
        queue.push(begin)
      })
    try {
      return await work()
    } finally {
      startNext()
    }
  }
}
