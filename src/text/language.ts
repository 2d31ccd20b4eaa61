import type { francAll } from 'franc'
import { countEach, slices } from '../basics/collections.ts'

/**
 * The language that texts are in, by its ISO 639-1 code; undefined where they are too short to say, or in several.
 * Long lists are sampled evenly, so that it takes a tenth of a second at most.
 */
export async function languageOf(texts: readonly string[]): Promise<string | undefined> {
  // takes 50 milliseconds to load
  const { francAll } = await import('franc')
  const step = Math.max(1, texts.length / mostTexts)
  const sample = Array.from({ length: Math.ceil(texts.length / step) }, (_, at) => texts[Math.floor(at * step)] ?? '')
  const length = Math.max(100, Math.ceil(2000 / sample.length))
  const blocks = [...slices(sample, textsOfBlock)].map((block) => block.map((text) => text.slice(0, length)).join('\n'))
  const [first] = [...countEach(blocks.map((block) => languageOfBlock(block, francAll)))].sort(([, a], [, b]) => b - a)
  return first && first[1] >= clearMajority * blocks.length ? first[0] : undefined
}

/** `Thai` for `th`. */
export const languageName = (language: string): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language

/** That providers which are made for English are asked about questions in another language, a line each. */
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

const [mostTexts, textsOfBlock, clearMajority] = [200, 20, 0.8]

/** Scripts that one language is mostly written in: few letters are enough. Kana stand among Han. */
const scripts = [
  ['th', /\p{Script=Thai}/gu, 0.5],
  ['lo', /\p{Script=Lao}/gu, 0.5],
  ['km', /\p{Script=Khmer}/gu, 0.5],
  ['my', /\p{Script=Myanmar}/gu, 0.5],
  ['ko', /\p{Script=Hangul}/gu, 0.5],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 0.1],
  ['zh', /\p{Script=Han}/gu, 0.5],
] as const

/** Letters that a claim takes: of a script of one language, of others by their trigrams, and where two are near. */
const [fewestOfScript, fewest, enough] = [8, 100, 800]

/** A second language that is nearer than that, by franc's measure, is not told apart in a few letters. */
const near = 0.95

function languageOfBlock(text: string, rank: typeof francAll): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < fewestOfScript) return undefined
  const script = scripts.find(([, pattern, share]) => (text.match(pattern)?.length ?? 0) >= share * letters)
  if (script) return script[0]
  if (letters < fewest) return undefined
  // those without a code of two letters are seldom written, and near to one that has one: Scots to English
  const [first, second] = rank(text)
    .map(([code, score]) => ({ code: Intl.getCanonicalLocales(code)[0] ?? code, score }))
    .filter(({ code }) => code.length === 2)
  return letters < enough && second && second.score > near ? undefined : first?.code
}
