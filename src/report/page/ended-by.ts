import type { Manifest } from '../../records.ts'
import { plural } from '../render/plural.ts'
import type { ShownTrial } from '../show/shown-question.ts'

/** How large a context is and what ended it, in words. */
export function endedBy({ context, stopped, asked, beyond = [] }: ShownTrial, { budget }: Manifest): string {
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}`
  if (stopped === 'tokens')
    return `${size}; cut: the next passage is beyond the limit of tokens (budget ${budget.tokens})`
  // a ranking that was asked for beyond the budget ends, too
  if (stopped === 'passages' || beyond.length > 0)
    return `${size}; cut: later passages are beyond the limit of passages (budget ${budget.passages})`
  if (asked !== undefined && context.length >= asked) return `${size}; the method was asked for no more`
  return `${size}; nothing was cut`
}
