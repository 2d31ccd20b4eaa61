import type { Manifest } from '../records.ts'
import { counted } from '../report/render/amounts.ts'
import type { ExpectedRun } from '../run/index.ts'
import { rowName } from '../text/names.ts'

/** What a person should know before a run: prompts beyond a window, and models whose calls have no price. */
export const planWarnings = (
  rows: ExpectedRun['rows'],
  window: number | undefined,
  models: Manifest['models'],
): readonly string[] => [...windowWarnings(rows, window), ...priceWarnings(models)]

/** Tokens that the windows of most models hold, where the config does not say the model's. */
const usualWindow = 128_000

/** Rows whose prompts are longer than the window of the model that answers. */
const windowWarnings = (rows: ExpectedRun['rows'], window: number | undefined): readonly string[] =>
  rows.flatMap(({ phases: { answer }, ...row }) => {
    const tokens = answer && answer.calls.expected > 0 ? answer.promptTokens.expected / answer.calls.expected : 0
    if (tokens <= (window ?? usualWindow)) return []
    const prompt = `${rowName(row)}: a prompt has about ${counted(Math.round(tokens))} tokens in the mean`
    return [
      window === undefined
        ? `${prompt}; many models take no more than ${counted(usualWindow)} (set window of the model), and longer ones are failed calls`
        : `${prompt}, and the model takes ${counted(window)} (window): such calls fail; leave the row out, or cut its context`,
    ]
  })

/** Models behind a server whose calls cannot be counted in dollars. */
function priceWarnings(models: Manifest['models']): readonly string[] {
  const without = Object.entries(models).flatMap(([role, { baseUrl, price }]) =>
    baseUrl !== undefined && !price ? [`models.${role}`] : [],
  )
  return without.length === 0
    ? []
    : [
        `${without.join(', ')}: no price is set, so that there are no dollars; price: { prompt, completion } in dollars per million tokens`,
      ]
}
