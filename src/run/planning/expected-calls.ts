import { memoise } from '../../basics/memoise.ts'
import { rowName } from '../../text/names.ts'
import { styleOf } from '../../answering/index.ts'
import { expectedAnswer } from '../../answering/prompt.ts'
import { addExpected, exactly, noCalls, timesUsage } from '../../math/expected.ts'
import { filledContext, noContext } from '../../methods/shared/expected-calls.ts'
import { tokenizer } from '../../text/tokens.ts'
import type {
  AnswerFacts,
  Budget,
  Chunk,
  ExpectedCalls,
  ExpectedContext,
  ExpectedUsage,
  Method,
  Phase,
  Estimate,
  MethodCosts,
} from '../../types.ts'
import { cuttingCalls, type ChunkedCorpus } from '../asking/chunk-corpus.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import { queryOf, searchQueryOf } from '../asking/retrieve.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { needsOf, opponentRows } from '../scoring/gather-needs.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { UserError } from '../../errors.ts'

/** The calls of each phase; undefined where they are not known. */
type CallsByPhase = Readonly<Record<Phase, readonly ExpectedCalls[] | undefined>> & {
  /** Whether each repeat makes an index of its own. */
  readonly drawsAtIndex: boolean
}

/** What a method is expected to ask for a corpus: one index, every question once, every answer judged as planned. */
export function expectedCalls(
  entry: MethodEntry,
  chunked: ChunkedCorpus,
  { plan, scorers, style, methods }: Pick<Prepared, 'plan' | 'scorers' | 'style' | 'methods'>,
): CallsByPhase {
  const { method, options, id, row, budget = plan.budget } = entry
  const tokens = plan.chunks.tokenizer
  const countTokens = (text: string): number => tokenizer(tokens).count(text)
  const costs = costsOf(entry, chunked, plan, countTokens)
  const contextOf = costs?.context ?? likelyContext(method, chunked.chunks, budget)
  const answers: ExpectedUsage[] = []
  const judged: (ExpectedCalls | undefined)[] = []
  const opponentsOf = memoise((scorer: ScorerEntry) => opponentNames(scorer, id, methods))
  for (const question of chunked.corpus.questions) {
    if (!contextOf) break
    const { kind } = question.reference
    const query = queryOf(question, method)
    const context = contextOf(searchQueryOf(question, method))
    const { usage, tokens: answerTokens } =
      style === 'none'
        ? { usage: noCalls, tokens: exactly(0) }
        : expectedAnswer(
            { query, kind, style: styleOf(style, question.reference) },
            context,
            method,
            countTokens,
            plan.prompts,
          )
    answers.push(usage)
    const given = { question, answer: answerTokens, context, countTokens, tokens, row: rowName(row) }
    for (const one of scorers) judged.push(...judging(one, { ...given, opponents: opponentsOf(one) }, plan.judgeRuns))
  }
  const known = judged.flatMap((usage) => usage ?? [])
  return {
    index: costs?.index,
    drawsAtIndex: costs?.drawsAtIndex ?? false,
    retrieve: costs?.retrieve,
    answer: style === 'none' ? [] : method.answers?.(options) ? undefined : contextOf && [addExpected(answers)],
    judge: contextOf && known.length === judged.length ? sumsByName(known) : undefined,
  }
}

/** Calls alone; undefined where they are not known. */
export interface ExpectedCounts {
  readonly index: readonly ExpectedCalls[] | undefined
  /** Of all questions of the corpus once, answers included. */
  readonly trial: readonly ExpectedCalls[] | undefined
  /** Whether each repeat makes an index of its own. */
  readonly drawsAtIndex: boolean
}

/** How many calls a method is expected to make for a corpus; no token is counted. */
export function expectedCounts(
  entry: Pick<MethodEntry, 'method' | 'options' | 'budget'>,
  chunked: ChunkedCorpus,
  plan: Pick<Prepared['plan'], 'budget' | 'chunks'>,
  style: Prepared['style'],
): ExpectedCounts {
  const costs = costsOf(entry, chunked, plan, (text) => Math.ceil(text.length / 4))
  const answers = { ...noCalls, calls: exactly(style === 'none' ? 0 : chunked.corpus.questions.length) }
  const isKnown = style === 'none' || !entry.method.answers?.(entry.options)
  return {
    index: costs?.index,
    trial: costs && isKnown ? [...costs.retrieve, answers] : undefined,
    drawsAtIndex: costs?.drawsAtIndex ?? false,
  }
}

/** What a method says of a corpus, with what cutting it asks; undefined where it cannot tell. */
function costsOf(
  { method, options, budget }: Pick<MethodEntry, 'method' | 'options' | 'budget'>,
  { corpus, chunks }: ChunkedCorpus,
  plan: Pick<Prepared['plan'], 'budget' | 'chunks'>,
  countTokens: (text: string) => number,
): MethodCosts | undefined {
  const queries = corpus.questions.map((question) => searchQueryOf(question, method))
  // a process of a plug-in counts by the tokenizer's name
  const facts = { chunks, queries, budget: budget ?? plan.budget, countTokens, tokens: plan.chunks.tokenizer }
  const costs = checkCosts(method.costs(facts, options), method.name)
  return costs && { ...costs, index: [...cuttingCalls(corpus, plan.chunks), ...costs.index] }
}

/** What scoring one answer is expected to cost, if anything; undefined within where it is not known. */
function judging(
  { label, scorer, options }: ScorerEntry,
  facts: AnswerFacts,
  judgeRuns: number,
): readonly (ExpectedCalls | undefined)[] {
  if (!scorer.judge || !scorer.kinds.includes(facts.question.reference.kind)) return []
  if (!scorer.costs) return [undefined]
  return checkUsages(scorer.costs(facts, options), label).map(({ once, ...usage }) => ({
    ...(once !== undefined && { once }),
    ...timesUsage(usage, judgeRuns),
  }))
}

const opponentNames = (entry: ScorerEntry, id: string, methods: readonly MethodEntry[]): readonly string[] => {
  const { opponents } = needsOf(entry)
  const rows = methods.map(({ row, method, options, ...own }) => ({
    ...{ ...row, id: own.id, use: method.name },
    ...(method.context && { context: method.context }),
    ...(method.answers?.(options) && { answers: 'own' as const }),
  }))
  return opponents === undefined
    ? []
    : opponentRows(rows, opponents).flatMap((other) => (other.id === id ? [] : [rowName(other)]))
}

/** Calls of one name in `once` added up, and those without a name. */
function sumsByName(calls: readonly ExpectedCalls[]): readonly ExpectedCalls[] {
  const names = [...new Set(calls.map(({ once }) => once))]
  return names.map((name) => ({
    ...(name !== undefined && { once: name }),
    ...addExpected(calls.filter(({ once }) => once === name)),
  }))
}

/** The context of a method that does not say: as much as the budget allows; undefined where there is no budget. */
function likelyContext(
  { context }: Pick<Method, 'context'>,
  chunks: readonly Chunk[],
  budget: Budget,
): (() => ExpectedContext) | undefined {
  if (context === 'unlimited') return undefined
  if (context === 'none') return () => noContext
  const filled = filledContext(
    chunks.map(({ tokens }) => tokens),
    budget,
  )
  const open = { passages: { ...filled.passages, low: 0 }, tokens: { ...filled.tokens, low: 0 } }
  return () => ({
    passages: { ...open.passages, high: budget.passages },
    tokens: { ...open.tokens, high: budget.tokens },
  })
}

/** What a method says it is expected to ask, undefined where it cannot tell. Throws UserError for what is wrong. */
export function checkCosts(costs: unknown, method: string): MethodCosts | undefined {
  if (costs === 'unknown') return undefined
  const { index, drawsAtIndex, retrieve, context } = (costs ?? {}) as Partial<Record<keyof MethodCosts, unknown>>
  if (typeof context !== 'function') throw new UserError(`${method}: costs() gave no context(query)`)
  if (drawsAtIndex !== undefined && typeof drawsAtIndex !== 'boolean')
    throw new UserError(`${method}: costs() gave a drawsAtIndex that is neither true nor false`)
  return {
    index: checkUsages(index, method),
    ...(drawsAtIndex !== undefined && { drawsAtIndex }),
    retrieve: checkUsages(retrieve, method),
    context(query) {
      const { passages, tokens } = (context as MethodCosts['context'])(query)
      return { passages: checkEstimate(passages, method, 'passages'), tokens: checkEstimate(tokens, method, 'tokens') }
    },
  }
}

/** A list of expected calls, or a UserError that says what is wrong with it. */
function checkUsages(usages: unknown, who: string): readonly ExpectedCalls[] {
  if (!Array.isArray(usages)) throw new UserError(`${who}: costs() gave no list of calls`)
  for (const usage of usages as readonly Readonly<Record<string, unknown>>[])
    for (const field of fields) checkEstimate(usage[field], who, field)
  return usages as readonly ExpectedCalls[]
}

const fields = ['calls', 'promptTokens', 'completionTokens', 'embeddedTokens'] as const

function checkEstimate(value: unknown, who: string, field: string): Estimate {
  const { low, expected, high } = (value ?? {}) as Partial<Record<keyof Estimate, unknown>>
  const numbers = [0, low, expected, high, Number.MAX_VALUE]
  if (numbers.every((number, index) => index === 0 || Number(numbers[index - 1]) <= Number(number)))
    return value as Estimate
  throw new UserError(`${who}: costs() gave ${field} that are not numbers 0 <= low <= expected <= high`)
}
