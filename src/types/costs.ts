/** A number that is not known before a run: what it is at least, most likely, and at most, as far as can be foreseen. */
export interface Estimate {
  readonly low: number
  readonly expected: number
  readonly high: number
}

/** Calls and tokens as a run counts them: an `embed` of many texts is one call, and calls answered from the cache count. */
export interface ExpectedUsage {
  readonly calls: Estimate
  readonly promptTokens: Estimate
  readonly completionTokens: Estimate
  readonly embeddedTokens: Estimate
}

/** Calls of one kind. Rows that expect calls of one name in `once` ask the same: they are made once, whatever the number of rows. */
export interface ExpectedCalls extends ExpectedUsage {
  readonly once?: string
}

/** A context in passages and tokens. */
export interface ExpectedContext {
  readonly passages: Estimate
  readonly tokens: Estimate
}
