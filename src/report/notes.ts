import type { Manifest, ModelRecord } from '../records.ts'
import { nameOf } from './grid.ts'
import type { Table } from './table.ts'

/** One line on what was compared under which conditions. */
export function conditionsOf(manifest: Manifest): string {
  const { dataset, budget, models, prompts } = manifest
  const named = ({ provider, model }: ModelRecord): string => [...new Set([provider, model])].join(' ')
  const hashes = Object.entries(prompts).map(([task, { version, hash }]) => `${task} v${version} ${hash}`)
  return [
    `${dataset.name}: ${plural(dataset.questions, 'question')} on ${plural(dataset.documents, 'document')} in ${plural(dataset.corpora, 'corpus', 'corpora')}`,
    `budget ${budget.passages} passages and ${budget.tokens} tokens`,
    `answers by ${named(models.answer ?? models.complete)}`,
    ...(models.answer ? [`all else that is asked of a model by ${named(models.complete)}`] : []),
    `embeddings by ${named(models.embed)}`,
    `prompts ${hashes.join(', ')}`,
  ].join('; ')
}

/** What a reader must know beside the numbers; the first note says how to read them. */
export function notesOf(manifest: Manifest, table: Table): readonly string[] {
  const runs = Math.max(1, ...table.cells.map((cell) => cell.runs))
  const rows = manifest.methods.map((method, index) => ({ name: nameOf(method), method, facts: table.rows[index] }))
  const counted = (field: 'failed' | 'failedScores' | 'canned' | 'unreadable'): string =>
    rows
      .filter(({ facts }) => (facts?.[field] ?? 0) > 0)
      .map(({ name, facts }) => `${name} ${facts?.[field] ?? 0}`)
      .join(', ')
  const failed = counted('failed')
  const failedScores = counted('failedScores')
  const canned = counted('canned')
  const unreadable = counted('unreadable')
  const asked = new Set(rows.map(({ facts }) => facts?.trials))
  const estimated = table.usage.some((one) => one.estimated > 0)
  return [
    `Scores in percent${runs > 1 ? `, mean of up to ${runs} runs ± standard error` : ''}; the best of each column within the budget is marked.`,
    ...(rows.some(({ method }) => method.context)
      ? ['† A bracket: asked without a context, or outside the budget.']
      : []),
    ...manifest.offline.map(
      (provider) => `"${provider}" is no language model: these numbers compare methods offline and reproduce no paper.`,
    ),
    ...(failed ? [`Failed trials are in no mean: ${failed}.`] : []),
    ...(failedScores ? [`Failed scores are in no mean: ${failedScores}.`] : []),
    ...(canned ? [`Answered without a call, for want of a context: ${canned}.`] : []),
    ...(unreadable ? [`Replies that named no option count as wrong: ${unreadable}.`] : []),
    ...(asked.size > 1 ? ['Rows differ in their number of trials: they were not all asked the same questions.'] : []),
    ...(estimated ? ["Tokens that a server did not report were counted with the run's tokenizer."] : []),
  ]
}

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
