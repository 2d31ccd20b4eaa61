import { priceOf } from '../../basics/dollars.ts'
import { UserError } from '../../errors.ts'
import type { ModelRole, OpenedModels } from '../../models/index.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'
import type { Settings } from '../settings.ts'

/**
 * Throws UserError where spending is limited in dollars and a model in one of the roles has no price: a line each. A judge counts only where
 * a scorer asks one; a model on this computer costs nothing.
 */
export function refuseUnpriced(
  roles: readonly ModelRole[],
  scorers: readonly Pick<ScorerEntry, 'scorer'>[],
  models: Pick<OpenedModels, 'describe'>,
  { spending }: Pick<Settings, 'spending'>,
): void {
  if (spending?.limits.usd === undefined) return
  const described = models.describe()
  const judged = scorers.some(({ scorer }) => scorer.judge)
  const lacking = new Map<string, string>()
  for (const role of roles) {
    const model = described[role]
    if (!model || priceOf(model) || (role === 'judge' && !judged)) continue
    const key = canonicalJson(model)
    if (!lacking.has(key))
      lacking.set(key, `models.${role}: ${model.provider} "${model.model}" has no price: ${remedy}`)
  }
  if (lacking.size > 0) throw new UserError([...lacking.values()].join('\n'))
}

const remedy =
  'a limit in dollars needs price: { prompt: …, completion: …, embedding: … } in the config, in dollars per million tokens'
