import type { ScorerRecord } from '../../records.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'

/** What a manifest says of the scorers. */
export const scorerRecords = (scorers: readonly ScorerEntry[]): readonly ScorerRecord[] =>
  scorers.map(({ label, id, use, scorer, options, record, note }) => ({
    scorer: label,
    id,
    use,
    version: scorer.version,
    options: record,
    kinds: scorer.kinds,
    judge: scorer.judge ?? false,
    ...(scorer.needs?.(options).outcome && { failures: true as const }),
    ...(scorer.ranges && { ranges: scorer.ranges }),
    ...(scorer.ranks && { ranks: scorer.ranks }),
    ...(note !== undefined && { note }),
    columns: typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns,
  }))
