interface LabelledText {
  /** Where it stands in its file. */
  readonly where: string
  /** What shares one is not independent: a question, or the answer that claims were taken from. */
  readonly cluster: string
}

/** An answer that people labelled. `label`: a number as a scorer gives it. */
export interface LabelledAnswerText extends LabelledText {
  readonly question: string
  readonly answer: string
  readonly reference?: string
  /** Absent where the file has none. */
  readonly context?: readonly string[]
  readonly label: number
}

/** Two answers to a question. `labels`: one of each annotator; above 0 the second answer is better, below 0 the first. */
export interface LabelledPair extends LabelledText {
  readonly question: string
  readonly reference: string
  readonly first: string
  readonly second: string
  readonly labels: readonly number[]
}

/** The claims of an answer, each of which people found in the context (1) or not (0). */
export interface LabelledClaims extends LabelledText {
  readonly context: readonly string[]
  readonly claims: readonly { readonly text: string; readonly label: 0 | 1 }[]
}

/** Texts with the labels of people, as others publish them. */
export type Labelled =
  | { readonly kind: 'answers'; readonly items: readonly LabelledAnswerText[] }
  | { readonly kind: 'pairs'; readonly items: readonly LabelledPair[] }
  | { readonly kind: 'claims'; readonly items: readonly LabelledClaims[] }
