import type { ChunksRecord, Manifest, ModelRecord } from '../records.ts'
import { nameOf } from './grid.ts'
import { judgeAgreement } from './judge-agreement.ts'
import { losses, type NamedRow } from './notes-on-losses.ts'
import { plural } from './plural.ts'
import type { Table } from './table.ts'

/** One line on what was compared under which conditions. */
export function conditionsOf(manifest: Manifest): string {
  const { dataset, chunks, budget, models, prompts } = manifest
  const named = ({ provider, model }: ModelRecord): string => [...new Set([provider, model])].join(' ')
  const hashes = Object.entries(prompts).map(([task, { version, hash }]) => `${task} v${version} ${hash}`)
  return [
    `${dataset.name}${optionsOf(dataset.options)}: ${plural(dataset.questions, 'question')} on ${plural(dataset.documents, 'document')} in ${plural(dataset.corpora, 'corpus', 'corpora')}`,
    cutting(chunks),
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
  const rows = manifest.methods.flatMap((method, index): NamedRow[] => {
    const facts = table.rows[index]
    return facts ? [{ name: nameOf(method), method, facts }] : []
  })
  const counted = (field: 'failed' | 'failedScores' | 'canned' | 'unreadable'): string =>
    rows
      .filter(({ facts }) => facts[field] > 0)
      .map(({ name, facts }) => `${name} ${facts[field]}`)
      .join(', ')
  const failed = counted('failed')
  const failedScores = counted('failedScores')
  const canned = counted('canned')
  const unreadable = counted('unreadable')
  const asked = new Set(rows.map(({ facts }) => facts.trials))
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
    ...losses(rows, table.usage),
    ...judgeAgreement(manifest, table),
    ...(asked.size > 1 ? ['Rows differ in their number of trials: they were not all asked the same questions.'] : []),
    ...(estimated
      ? ["Tokens of embedded batches, and those that a server did not report, were counted with the run's tokenizer."]
      : []),
  ]
}

/** ` (split dev, corpus gold)`: every option that has a value, whether the config names it or not. */
function optionsOf(options: unknown): string {
  const set = Object.entries((options ?? {}) as Readonly<Record<string, unknown>>).filter(([, value]) => value !== null)
  if (set.length === 0) return ''
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return ` (${set.map(([option, value]) => `${option} ${text(value)}`).join(', ')})`
}

function cutting({ by, size, overlap }: ChunksRecord): string {
  switch (by) {
    case 'none':
      return 'documents uncut'
    case 'sentences':
      return `chunks of whole sentences up to ${size} tokens${overlapping(overlap)}`
    case 'tokens':
      return `chunks of ${size} tokens${overlapping(overlap)}`
  }
}

const overlapping = (overlap: number): string => (overlap > 0 ? `, overlap ${overlap}` : '')
