import type { francAll } from 'franc'
import { countEach, slices } from '../basics/collections.ts'

/** The ISO 639-1 code of the texts' language, by a sample; undefined where they are too short or mixed. */
export async function languageOf(texts: readonly string[]): Promise<string | undefined> {
  // loads in 50 ms
  const { francAll } = await import('franc')
  const step = Math.max(1, texts.length / mostTexts)
  const sample = Array.from({ length: Math.ceil(texts.length / step) }, (_, at) => texts[Math.floor(at * step)] ?? '')
  const length = Math.max(100, Math.ceil(2000 / sample.length))
  const beginnings = sample.map((text) => text.slice(0, length))
  const blocks = Array.from(slices(beginnings, textsOfBlock), (block) => block.join('\n'))
  const languages = blocks.map((block) => languageOfBlock(block, francAll))
  const [first] = [...countEach(languages)].sort(([, a], [, b]) => b - a)
  return first && first[1] >= clearMajority * blocks.length ? first[0] : undefined
}

/** `Thai` for `th`. */
export const languageName = (language: string): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language

/** Warnings for providers made for English on questions in another language. */
export const notesOnEnglishProviders = (
  language: string | undefined,
  providers: readonly string[],
  texts: 'questions' | 'documents' = 'questions',
): readonly string[] =>
  language === undefined || language === 'en'
    ? []
    : Object.entries(madeForEnglish).flatMap(([provider, note]) =>
        providers.includes(provider) ? [`The ${texts} are in ${languageName(language)}; ${note}`] : [],
      )

const madeForEnglish = {
  minilm: 'the embedder minilm is trained on English, and its vectors are unreliable: set models.embed to another.',
  extractive: 'extractive has rules for English alone, and its replies are unreliable: name a language model.',
}

const mostTexts = 200
const textsOfBlock = 20
const clearMajority = 0.8

/** Minimum letters: for a script of one language, for trigrams, and where the second candidate is near. */
const fewestOfScript = 8
const fewest = 100
const enough = 800

/** Score (franc) above which the second candidate is near. */
const near = 0.95

function languageOfBlock(text: string, rank: typeof francAll): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  // languages without a two-letter code are rare, and near to one with a code: Scots to English
  const [first, second] = rank(text, { minLength: 1 })
    .map(([code, score]) => ({ code: Intl.getCanonicalLocales(code)[0] ?? code, score }))
    .filter(({ code }) => code.length === 2)
  if (letters < (second ? fewest : fewestOfScript)) return undefined
  return letters < enough && second && second.score > near ? undefined : first?.code
}
