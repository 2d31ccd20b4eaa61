import { z } from 'zod'
import { languageName } from '../../text/language.ts'
import { answerTokens } from '../../text/words.ts'
import type { ScorerColumn } from '../../types.ts'
import { answerLanguages, isUnspaced, mlqaTokens, type AnswerLanguage } from '../measures/answers/mlqa.ts'
import type { Tokens } from '../measures/answers/token-f1.ts'

/** The option of scorers whose script MLQA extends. */
export const answerLanguage = z
  .enum(['auto', ...answerLanguages])
  .default('auto')
  .describe(
    'How answers become words. A language (ISO 639-1): as MLQA’s script does, with the official values beside it; auto: the language of the questions where it has no spaces (zh, ja, th, lo, km, my), else as the official script, which is made for English',
  )

interface Options extends Readonly<Record<string, unknown>> {
  readonly language?: z.output<typeof answerLanguage>
}

/** Sets the option to the questions' language if it is written without spaces. */
export const forLanguage = <O extends Options>(options: O, language: string): O =>
  (options.language ?? 'auto') === 'auto' && isUnspaced(language) ? { ...options, language } : options

/** Scores by the rules of a language with the official ones beside them, or by the official rules alone. */
export function inBothForms(
  options: Options,
  score: (tokens: Tokens) => Readonly<Record<string, number>>,
  officialTokens: Tokens = answerTokens,
): Readonly<Record<string, number>> {
  const official = score(officialTokens)
  const language = formOf(options)
  if (!language) return official
  const officialMetrics = Object.entries(official).map(([metric, value]) => [officialName(metric), value] as const)
  return { ...score((text) => mlqaTokens(text, language)), ...Object.fromEntries(officialMetrics) }
}

/** The columns; with the rules of a language, those of the official values after them. */
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

/** The note on the rules of a language; undefined for the official ones. */
export function noteOnForm(options: Options): string | undefined {
  const language = formOf(options)
  if (language === undefined) return undefined
  return `answers are compared by MLQA's rules for ${languageName(language)}; "official": by the official script's.`
}

const officialName = (metric: string): string => `official${metric.charAt(0).toUpperCase()}${metric.slice(1)}`

/** The language whose rules apply; undefined for the official ones. */
const formOf = ({ language }: Options): AnswerLanguage | undefined => (language === 'auto' ? undefined : language)
