import type { Passage } from '../../../types.ts'

/** The passages; the first says why the question was answered otherwise than the mode intends, where there is a reason. */
export function withFallback(passages: readonly Passage[], fallback: string | undefined): readonly Passage[] {
  const [first, ...others] = passages
  if (!first || fallback === undefined) return passages
  return [{ ...first, why: { ...first.why, fallback } }, ...others]
}

/** Why a mode went on without some replies, by what these would have given: how many could not be read or were refused. Undefined where none was lost. */
export function lossesOf(mode: string, lost: Readonly<Record<string, number>>): string | undefined {
  const missing = Object.entries(lost).flatMap(([what, count]) => (count > 0 ? [what] : []))
  if (missing.length === 0) return undefined
  return `${mode} without some ${missing.join(' and ')}: the replies could not be read or were refused`
}
