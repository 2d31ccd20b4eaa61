/** `1,234`. The first use of a locale takes ten milliseconds, which a table of whole numbers does not need. */
export const counted = (value: number): string =>
  Number.isSafeInteger(value) ? String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString('en-US')

/** Dollars, with four digits below one. */
export const inDollars = (value: number): string => value.toFixed(value < 1 ? 4 : 2)

/** A share as a percentage with one digit: `34.7 %`; one that is not 0 is never shown as 0. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? 'less than 0.1 %' : `${(100 * share).toFixed(1)} %`

/** `1 reply`, `2 replies`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** `120 questions`, with ` in 30 clusters` where some share a text. */
export const questionsIn = ({
  questions,
  clusters,
}: {
  readonly questions: number
  readonly clusters: number
}): string => `${plural(questions, 'question')}${clusters < questions ? ` in ${plural(clusters, 'cluster')}` : ''}`

/** Items one after the other; of many the first ten, and how many others there are: a note lists no more. */
export const listing = (items: readonly string[], separator = ', '): string =>
  items.length <= mostListed + 2
    ? items.join(separator)
    : `${items.slice(0, mostListed).join(separator)}${separator}and ${counted(items.length - mostListed)} others`

const mostListed = 10

/** The items, those of lists one by one; what is false, null or undefined is left out. */
export const present = <T>(...parts: readonly (T | readonly T[] | false | null | undefined)[]): readonly T[] =>
  parts.flatMap((part) => (part === false || part == null ? [] : part))

/** What stands above a table of costs. */
export const costCaption = 'Calls, and tokens by kind (prompt, completion, embedded); cached calls included.'
