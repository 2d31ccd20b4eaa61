import { z } from 'zod'
import { languageName } from '../../text/language.ts'
import { answerTokens } from '../../text/words.ts'
import type { ScorerColumn } from '../../types.ts'
import { answerLanguages, isUnspaced, mlqaTokens, type AnswerLanguage } from '../measures/answers/mlqa.ts'
import type { Tokens } from '../measures/answers/token-f1.ts'

/** The option of the scorer whose script MLQA's extends. */
export const answerLanguage = z
  .enum(['auto', ...answerLanguages])
  .default('auto')
  .describe(
    'How answers become words. A language (ISO 639-1): as MLQA’s script does, with the official values beside it; auto: the language of the questions where its words are not parted by spaces (zh, ja, th, lo, km, my), else as the official script does, which is made for English',
  )

interface Options extends Readonly<Record<string, unknown>> {
  readonly language?: z.output<typeof answerLanguage>
}

/** The options for questions in a language: those of scorers that compare the words of answers name it if unspaced. */
export const forLanguage = <O extends Options>(options: O, language: string): O =>
  (options.language ?? 'auto') === 'auto' && isUnspaced(language) ? { ...options, language } : options

/** What answers score in the form of a language, and in the official one beside it; or in the official one alone. */
export function inBothForms(
  options: Options,
  score: (tokens: Tokens) => Readonly<Record<string, number>>,
  officialTokens: Tokens = answerTokens,
): Readonly<Record<string, number>> {
  const official = score(officialTokens)
  const language = formOf(options)
  if (!language) return official
  const renamed = Object.entries(official).map(([metric, value]) => [officialName(metric), value] as const)
  return { ...score((text) => mlqaTokens(text, language)), ...Object.fromEntries(renamed) }
}

/** The columns of these metrics; with the form of a language those of the official values after them. */
export const columnsInBothForms = (options: Options, columns: readonly ScorerColumn[]): readonly ScorerColumn[] =>
  formOf(options) === undefined
    ? columns
    : [
        ...columns,
        ...columns.map((column) => ({
          ...column,
          metric: officialName(column.metric),
          label: `official ${column.label ?? column.metric}`,
        })),
      ]

/** Which form a table shows; nothing for the official one. */
export function noteOnForm(options: Options): string | undefined {
  const language = formOf(options)
  return (
    language &&
    `answers are compared by MLQA's rules for ${languageName(language)}; "official": by the official script's.`
  )
}

const officialName = (metric: string): string => `official${metric.charAt(0).toUpperCase()}${metric.slice(1)}`

/** The language whose form is asked for; undefined for the official form. */
const formOf = ({ language }: Options): AnswerLanguage | undefined => (language === 'auto' ? undefined : language)
