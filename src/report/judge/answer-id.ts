import type { Manifest, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'

/**
 * Names an answer in a file of human labels without saying whose it is: 11 hex digits after a letter, so that no spreadsheet takes it for a
 * number. It is another one in another results folder, and where the trial was answered anew with other words.
 */
export const answerId = ({ hash }: Manifest, { id, answer }: Pick<TrialLine, 'id' | 'answer'>): string =>
  `a${hashOf([hash, id, answer?.text ?? null]).slice(0, 11)}`
