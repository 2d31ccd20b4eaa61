import { memoise } from '../../basics/memoise.ts'
import { circuitBreaker, type UsageCounter, type OpenedModels } from '../../models/index.ts'
import type { Failure, IndexLine, MeterLine, TrialLine } from '../../records.ts'
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
import { callCounts, type Counts, type OnUsage, type Progress } from '../progress.ts'
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
  const { folder, methods, models } = execution
  const { concurrency, indexesAhead } = executor
  const { finished: finishedIds, usable } = await readFinishedIds(execution)
  const callsSoFar = callCounts()
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(usable.has(id)))
  const limit = rankedLimit(concurrency)
  const trials = await openTrials(folder)
  const meters = await openJournal<MeterLine>(files(folder).meter)
  const open = new Set<Index>()
  const keptCount = finishedIds.trials.size
  let [madeCount, failed, nextRank] = [0, 0, 0]
  let stop: { readonly error: unknown } | undefined

  const checkHalt = (): void => {
    if (stop) throw stop.error
    signal.throwIfAborted()
  }
  const halt = (error: unknown): never => {
    stop ??= { error }
    for (const { id } of methods) breakerOf(id).release()
    throw error
  }
  const write = ({ line, usage }: { readonly line: IndexLine | TrialLine; readonly usage: UsageCounter }): void => {
    trials.append(line)
    models.sentCalls.clear(usage)
    for (const mark of timingLines(line, usage)) meters.append(mark)
  }
  const close = async (index: Index | undefined): Promise<void> => {
    if (index && open.delete(index)) await index.close?.()
  }
  const buildIndex = async ({ entry, source }: WorkItem, { at, isNew }: OpenIndex): Promise<BuiltIndex> => {
    checkHalt()
    const building = (onUsage: OnUsage) => executor.build(at, entry, source, onUsage)
    const builtIndex = await callsSoFar.index(rowName(entry.row), building)
    if (builtIndex.index?.close) open.add(builtIndex.index)
    if (builtIndex.line.failure) signal.throwIfAborted()
    // an index without random numbers is that of the first repeat, which has its line
    if (isNew && (at.repeat === 0 || builtIndex.isStochastic)) write(builtIndex)
    return builtIndex
  }
  const answer = async (
    { entry, source }: WorkItem,
    trial: TrialAt,
    index: BuiltIndex,
    failure: Failure | undefined,
  ): Promise<TrialLine> => {
    checkHalt()
    progress.at?.('ask', rowName(entry.row))
    const target = failure ? failedIndex(index, skipFailure(failure, 'the row')) : index
    const outcome = await executor.ask(trial, entry, target, source, callsSoFar.onUsage)
    // it may have failed for the end of the run
    if (outcome.line.failure) signal.throwIfAborted()
    write(outcome)
    await execution.onTrial?.(outcome.line)
    madeCount++
    if (outcome.line.failure) failed++
    progress.tick('ask', outcome.line.failure !== undefined)
    return outcome.line
  }
  /** Runs the open trials of an index; `onLastBegin` is called when the last one begins. */
  const askIndex = async (
    item: WorkItem,
    builtIndex: BuiltIndex,
    indexes: readonly OpenIndex[],
    rank: number,
    onLastBegin: () => void,
  ): Promise<void> => {
    let waiting = indexes.reduce((sum, { count }) => sum + count, 0)
    if (waiting === 0) onLastBegin()
    // as many wait as run, so that the next question is always one of the lowest rank
    await forEachLimited(trialsOf(indexes), Math.min(2 * concurrency, waiting), async (trial) => {
      const begin = (failure: Failure | undefined): Promise<TrialLine> =>
        limit(rank, () => {
          if (--waiting === 0) onLastBegin()
          return answer(item, trial, builtIndex, failure)
        })
      await item.breaker.run(trial.place, begin, outcomeOf)
    })
    await close(builtIndex.index)
  }
  /** Builds the indexes of an item and asks them; one after the other, but for questions that are under way. */
  const perform = async (item: WorkItem, rank: number, onLastBegin: () => void): Promise<void> => {
    const [first, ...later] = item.indexes
    if (!first) return
    const builtIndex = await buildIndex(item, first)
    if (!builtIndex.isStochastic) return askIndex(item, builtIndex, item.indexes, rank, onLastBegin)
    const asking: Promise<void>[] = []
    const ask = (index: OpenIndex, of: BuiltIndex): Promise<void> =>
      new Promise((onBegin, fail) => {
        const questions = askIndex(item, of, [index], rank, onBegin)
        asking.push(questions)
        questions.catch(fail)
      })
    try {
      await ask(first, builtIndex)
      for (const index of later) await ask(index, await buildIndex(item, index))
      onLastBegin()
    } finally {
      await Promise.allSettled(asking)
    }
    await Promise.all(asking)
  }
  const underWay = new Set<Promise<void>>()
  /** Performs an item, and resolves when the index of another one may be begun. */
  const begin = (item: WorkItem): Promise<void> =>
    new Promise((next, fail) => {
      const performing = perform(item, nextRank++, indexesAhead > 0 ? next : () => undefined).catch(halt)
      underWay.add(performing)
      performing.finally(() => underWay.delete(performing)).then(next, fail)
    })
  const cut = (corpus: Corpus): Promise<ChunkedCorpus> => execution.chunk(corpus, callsSoFar.onUsage)
  const items = workItems({ ...execution, chunk: cut, breakerOf: ({ id }) => breakerOf(id) }, finishedIds)
  progress.start(
    'ask',
    execution.order.questions.size * methods.length * execution.repeats - keptCount,
    callsSoFar.soFar,
  )
  try {
    await forEachLimited(items, indexesAhead + 1, begin).catch(halt)
    await Promise.all(underWay)
  } catch (error) {
    await Promise.allSettled(underWay)
    throw stop?.error ?? error
  } finally {
    progress.end('ask')
    trials.close()
    meters.close()
    await Promise.all([...open].map(close))
  }
  return { made: madeCount, kept: keptCount, failed }
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
