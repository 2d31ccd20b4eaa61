import type { Message, Question } from '../../types.ts'
import type { Change } from '../diff/question-changes.ts'
import type { ShownTrial } from '../show/shown-question.ts'

/** What the code of a report page reads at once; the rest of a question is in a part. */
export interface PageData {
  readonly rows: readonly PageRow[]
  readonly metrics: readonly PageMetric[]
  readonly questions: readonly ListedQuestion[]
  /** Rows of two runs; none where the page shows one run. */
  readonly changes: readonly { readonly name: string }[]
  /** Questions in a part; the last may have fewer. */
  readonly perPart: number
  /** Addresses of the pages that hold the parts, one each; absent where the parts are in this page. */
  readonly files?: readonly string[]
  readonly firstPart: number
  /** Address of the page of all questions, in the folder above; absent where this is it. */
  readonly home?: string
}

/** A row of one of the runs. `reference`: for orientation alone; `closedBook`: it answers without a context. */
export interface PageRow {
  readonly name: string
  /** Which run, or run of a series: rows of one have the same chunks. */
  readonly run: string
  readonly reference?: true
  readonly closedBook?: true
  /** Pages that show what the row built of a corpus, and their addresses as seen from the page of all questions. */
  readonly graphs?: readonly { readonly corpus: string; readonly address: string }[]
}

/** Why there is no score: a trial or a score failed, the scorer declined, or the row was not asked. */
export type NoScore = 'failed' | 'declined' | 'not asked'

/** From `right` on, half of the range, an answer counts as right; null without a range. */
export interface PageMetric {
  readonly scorer: string
  readonly metric: string
  readonly name: string
  readonly right: number | null
  /** Least and greatest score. */
  readonly range: readonly [number, number]
}

export interface ListedQuestion {
  readonly id: string
  /** Empty where texts are left out. */
  readonly text: string
  /** By metric and row. */
  readonly scores: readonly (readonly (number | NoScore)[])[]
  /** By row of two runs; null where the two are not compared. */
  readonly changes: readonly (Change | null)[]
}

/** A question with what every row made of it. */
export interface PartQuestion {
  /** Absent where texts are left out. */
  readonly question?: Question
  readonly rows: readonly (readonly PartTrial[])[]
  /** The prompt with `contextMark`, and without a context; null where this version has other words. */
  readonly prompts: { readonly filled: readonly Message[]; readonly empty: readonly Message[] } | null
}

/** A trial, why its context ended, and whether a model got the prompt of the run. */
export interface PartTrial extends ShownTrial {
  readonly ended: string
  readonly prompted: boolean
}

/** A number of questions as JSON in which a long text is replaced by its number, behind `textMark`. */
export interface PagePart {
  readonly texts: readonly string[]
  readonly questions: unknown
}

/** Begins the number of a text. */
const textMark = '\u2063'

/** Replaces the context in a prompt: no text of a dataset is likely to hold it. */
export const contextMark = `${textMark}the context${textMark}`

/** Every long text once: rows find the same passages. */
export function packPart(questions: readonly PartQuestion[]): PagePart {
  const numbers = new Map<string, number>()
  const packedText = JSON.stringify(questions, (_key, value: unknown) => {
    if (typeof value !== 'string' || (value.length < 40 && !value.startsWith(textMark))) return value
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return `${textMark}${number}`
  })
  return { texts: [...numbers.keys()], questions: JSON.parse(packedText) }
}

/** The questions that `packPart` packed. */
export const unpackPart = ({ texts, questions }: PagePart): readonly PartQuestion[] =>
  JSON.parse(JSON.stringify(questions), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(textMark) ? texts[Number(value.slice(1))] : value,
  ) as readonly PartQuestion[]
