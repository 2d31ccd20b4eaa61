import type { Sentence } from './sentence.ts'

/** Whether a line says nothing, as titles do: it has grammar but no verb. Where no grammar is known, nothing counts as a heading. */
export const isHeading = ({ words }: Sentence): boolean =>
  words.every(({ pos }) => pos !== 'VERB' && pos !== 'AUX') && words.some(({ pos }) => pos !== 'X' && pos !== 'PUNCT')
