import { addFields } from '../../basics/collections.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import type { Phase, Usage } from '../../types.ts'
import { runOfRow } from '../synthetic.ts'
import type { Scores } from './scores.ts'
import type { Trials } from './trials.ts'
import { moneyOf, noUsage, pricedModels } from './usage.ts'

/** Includes cached calls. `usd` is absent where prices are unknown. */
export interface RunCosts {
  readonly calls: number
  readonly tokens: number
  readonly usd?: number
}

/**
 * Extrapolates costs to a number of questions from index, trial and judge usage. A single corpus is indexed once,
 * several grow with the questions.
 */
export function costsOfRun(
  manifest: Manifest,
  rows: readonly MethodRecord[],
  trials: Trials,
  scores: Pick<Scores, 'usage'>,
): (questions: number) => RunCosts {
  const distinct = rows.filter(({ id }, i) => rows.findIndex((row) => row.id === id) === i)
  const { dataset, repeats } = manifest
  const summaries = distinct.map((method) => ({
    id: method.id,
    row: trials.rows.get(method.id),
    prices: pricedModels(runOfRow(manifest, method).models),
  }))
  const usageOf = (id: string, phase: Phase): Usage =>
    (phase === 'judge' ? scores.usage : trials.usage).get(`${id} ${phase}`) ?? noUsage
  return (questions) => {
    const corpora = dataset.corpora > 1 ? questions / dataset.questions : 1
    const parts = summaries.flatMap(({ id, row, prices }) => {
      const { trials: trialCount = 1, indexes } = row ?? {}
      const indexFactor = corpora * (indexes ? (repeats * indexes.corpora) / indexes.built : 1)
      const answerFactor = (questions * repeats) / trialCount
      const times = { index: indexFactor, retrieve: answerFactor, answer: answerFactor, judge: answerFactor }
      return Object.entries(times).map(([name, factor]) => {
        const phase = name as Phase
        const usage = timesOf(usageOf(id, phase), factor)
        return { ...usage, usd: moneyOf(prices, phase, usage) }
      })
    })
    const arePriced = parts.every(({ usd }) => usd !== undefined)
    const { calls = 0, promptTokens = 0, completionTokens = 0, embeddedTokens = 0, usd = 0 } = addFields(...parts)
    const tokens = promptTokens + completionTokens + embeddedTokens
    return { calls: Math.round(calls), tokens: Math.round(tokens), ...(arePriced && { usd }) }
  }
}

const timesOf = (usage: Usage, factor: number): Usage => ({
  calls: factor * usage.calls,
  promptTokens: factor * usage.promptTokens,
  completionTokens: factor * usage.completionTokens,
  embeddedTokens: factor * usage.embeddedTokens,
  estimated: factor * usage.estimated,
  ...(usage.rankedTokens !== undefined && { rankedTokens: factor * usage.rankedTokens }),
})
