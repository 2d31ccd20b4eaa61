import { leastKept, type Economy } from './economy.ts'

/** Columns of the table of methods: what an index asks of a language model, beside its paper's formula. Empty for a method that asks none. */
export function economyColumns(measured: readonly Economy[]) {
  const column = (cell: (economy: Economy) => string) => (name: string) => {
    const one = measured.find(({ method }) => method === name)
    return one ? cell(one) : ''
  }
  return {
    'model calls of an index': column(
      ({ formula, paperCalls, calls }) => `${formula}: ${counted(paperCalls)}; ours ${counted(calls)}`,
    ),
    'tokens, repeated': column(
      ({ promptTokens, completionTokens, repeated }) =>
        `${thousands(promptTokens)} + ${thousands(completionTokens)}, ${percent(repeated)}`,
    ),
  }
}

/** What the columns mean. */
export const economyNote = (measured: readonly Economy[]): string =>
  `Model calls of an index of the sample dataset, by the formula of the paper and ours, with the options by default and the offline provider; the tokens of ours (prompt + completion), and the share of the prompt tokens that a server which keeps prefixes need not read again, since an earlier prompt of the index began with them, as all prompts begin with their instructions (of prefixes of ${counted(leastKept)} tokens or more, which alone OpenAI keeps: at most ${percent(Math.max(0, ...measured.map(({ repeatedByMany }) => repeatedByMany)))}).`

const counted = (count: number): string => count.toLocaleString('en-US')
const thousands = (tokens: number): string => `${counted(Math.round(tokens / 1000))}k`
const percent = (share: number): string => `${Math.round(100 * share)} %`
