/** `1,234`. Avoids locales for integers: the first use of one takes ten milliseconds. */
export const formatCount = (value: number): string =>
  Number.isSafeInteger(value) ? String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString('en-US')

/** Dollars, with four digits below one. */
export const formatDollars = (value: number): string => value.toFixed(value < 1 ? 4 : 2)

/** A share as a percentage: `34.7 %`; positive shares are never shown as 0. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? 'less than 0.1 %' : `${(100 * share).toFixed(1)} %`

/** `1 reply`, `2 replies`. */
export const plural = (count: number, singular: string, pluralForm = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : pluralForm}`

/** `120 questions in 30 clusters`; without clusters where each question is its own. */
export const questionsIn = ({
  questions,
  clusters,
}: {
  readonly questions: number
  readonly clusters: number
}): string => `${plural(questions, 'question')}${clusters < questions ? ` in ${plural(clusters, 'cluster')}` : ''}`

/** Joins items; of many, the first ten and the number of others. */
export const listing = (items: readonly string[], separator = ', '): string =>
  items.length <= listLimit + 2
    ? items.join(separator)
    : `${items.slice(0, listLimit).join(separator)}${separator}and ${formatCount(items.length - listLimit)} others`

const listLimit = 10

/** Flattens lists and drops false, null and undefined. */
export const present = <T>(...parts: readonly (T | readonly T[] | false | null | undefined)[]): readonly T[] =>
  parts.flatMap((part) => (part === false || part == null ? [] : part))

/** The caption of a table of costs. */
export const costCaption =
  'Calls, and tokens by kind (prompt, completion, embedded); calls answered from the cache are included.'
