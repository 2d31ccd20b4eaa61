import type { Manifest } from '../../records.ts'
import { formatCount, percent } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { DryRun } from './dry-run.ts'

/** What a person should know before a run. */
export function planWarnings(rows: DryRun['rows'], { models }: Pick<Prepared, 'models'>): readonly string[] {
  const descriptions = models.describe()
  return [
    ...rows.flatMap(({ failure, ...row }) =>
      failure === undefined
        ? []
        : [`${rowName(row)}: its usage is unknown, since it failed in the dry run: ${failure}`],
    ),
    ...windowWarnings(rows, models.window('answer')),
    ...unreadWarnings(rows, descriptions.embed),
    ...priceWarnings(descriptions),
  ]
}

/** Context window of most models, in tokens, where the config has none. */
const usualWindow = 128_000

/** Rows whose prompts are longer than the window of the model that answers. */
const windowWarnings = (rows: DryRun['rows'], window: number | undefined): readonly string[] =>
  rows.flatMap(({ phases: { answer }, ...row }) => {
    const tokens = answer && answer.calls > 0 ? answer.promptTokens / answer.calls : 0
    if (tokens <= (window ?? usualWindow)) return []
    const prompt = `${rowName(row)}: a prompt has about ${formatCount(Math.round(tokens))} tokens in the mean`
    return [
      window === undefined
        ? `${prompt}; many models take ${formatCount(usualWindow)} at most (set window of the model)`
        : `${prompt}, and the model takes ${formatCount(window)} (window): such calls fail; leave the row out`,
    ]
  })

/** Rows whose index gives the embedder longer texts than it reads. */
const unreadWarnings = (rows: DryRun['rows'], { model, readsTokens }: Manifest['models']['embed']): readonly string[] =>
  rows.flatMap(({ phases: { index }, ...row }) => {
    if (!index || index.unreadTokens === 0 || readsTokens === undefined) return []
    const share = index.unreadTokens / (index.embeddedTokens + index.unreadTokens)
    return [
      `${rowName(row)}: ${model} reads ${formatCount(readsTokens)} tokens of a text and skips about ${percent(share)} of the index: set shorter "chunks"`,
    ]
  })

/** Models behind a server whose calls cannot be counted in dollars. */
function priceWarnings(models: Manifest['models']): readonly string[] {
  const without = Object.entries(models).flatMap(([role, { baseUrl, price }]) =>
    baseUrl !== undefined && !price ? [`models.${role}`] : [],
  )
  return without.length === 0
    ? []
    : [`${without.join(', ')}: no price is set; price: { prompt, completion }, in dollars per million tokens`]
}
