import type { Manifest } from '../records.ts'
import { runsIn } from './synthetic.ts'

/** Whether an offline stand-in, not a language model, wrote the answers of all runs. */
export const hasOfflineAnswers = (manifest: Manifest): boolean =>
  runsIn(manifest).every(
    ({ answers, offline, models }) =>
      answers !== 'none' && offline.includes((models.answer ?? models.complete).provider),
  )

/** The line of tables, pages and figures of such runs. */
export const offlineBanner = (provider: string): string =>
  `Offline stand-in (${provider}): compares retrieval only, not answers.`
