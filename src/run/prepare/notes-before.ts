import type { Prepared } from './prepare.ts'
import type { Survey } from './survey.ts'
import { chunk } from '../../chunking/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Corpus } from '../../types.ts'
import { canonicalJson } from '../../text/hash.ts'
import { languageName, notesOnEnglishProviders } from '../../text/language.ts'
import { tasksOf } from '../../define.ts'
import { allAsked, type MethodEntry } from './method-entries.ts'

/** A line that no chunk fits the budget, so that every context of chunks is empty; undefined where one fits. */
export async function noteOnBudget(prepared: Pick<Prepared, 'plan' | 'corpora'>): Promise<string | undefined> {
  const least = await leastChunkBeyond(prepared)
  const { tokens } = prepared.plan.budget
  return least === undefined
    ? undefined
    : `no chunk fits the budget of ${tokens} token${tokens === 1 ? '' : 's'}: the shortest has ${least}, so every context of chunks is empty; raise budget.tokens or lower chunks.size`
}

/** That questions have nothing to compare an answer with, in one line; undefined where all have. */
export function noteOnReferences({ questions, withoutReference }: Survey): string | undefined {
  if (withoutReference === 0) return undefined
  const [have, them] = withoutReference === 1 ? ['has', 'it'] : ['have', 'them']
  return `${withoutReference} of ${questions} question${questions === 1 ? '' : 's'} ${have} no answer, options or summary: scorers that compare with a right answer do not score ${them}`
}

/** In which other language than English the questions are, and which of the models are made for English. */
export function notesOnLanguage({
  survey: { language },
  models,
  methods,
  scorers,
  style,
}: Pick<Prepared, 'survey' | 'models' | 'methods' | 'scorers' | 'style'>): readonly string[] {
  if (language === undefined || language === 'en') return []
  const entries = methods.flatMap(allAsked)
  const completes =
    style !== 'none' ||
    scorers.some(({ scorer }) => scorer.judge) ||
    entries.some(({ method, options }) => tasksOf(method, options).length > 0)
  return [
    `the language of the questions is ${languageName(language)}`,
    ...notesOnEnglishProviders(language, completes ? models.offline() : []),
  ]
}

/** Tokens of the shortest chunk, where no chunk fits the budget; undefined where one fits. */
async function leastChunkBeyond({
  plan: { chunks, budget },
  corpora,
}: Pick<Prepared, 'plan' | 'corpora'>): Promise<number | undefined> {
  // none is longer than its limit, and the data need not be read; without vectors the parts of semantic are not known
  if (chunks.by === 'semantic' || (chunks.by !== 'none' && budget.tokens >= chunks.size)) return undefined
  const words = tokenizer(chunks.tokenizer)
  let least: number | undefined
  for await (const text of chunkTexts(corpora(), chunks)) {
    const tokens = words.count(text)
    if (tokens <= budget.tokens) return undefined
    least = Math.min(least ?? Infinity, tokens)
  }
  return least
}

/** The texts of all chunks, one after the other. */
async function* chunkTexts(corpora: AsyncIterable<Corpus>, chunks: Prepared['plan']['chunks']): AsyncGenerator<string> {
  const words = tokenizer(chunks.tokenizer)
  for await (const { documents } of corpora)
    for (const [index, document] of documents.entries())
      for (const { text } of chunk(document, index, chunks, words)) yield text
}

/** A server that a row needs, and how to try it: gives name and versions. Throws UserError where it is of no use. */
interface NeededServer {
  readonly row: string
  readonly reach: () => Promise<string | undefined>
}

/** The servers that the options of methods name, each once. */
export function neededServers(
  entries: readonly Pick<MethodEntry, 'row' | 'method' | 'options' | 'file' | 'of'>[],
): readonly NeededServer[] {
  const needed = new Map<string, NeededServer>()
  for (const entry of entries)
    for (const { method, options, file } of allAsked(entry))
      if (file === undefined && method.reach)
        needed.set(canonicalJson([method.name, options]), {
          row: entry.row.method,
          reach: async () => method.reach?.(options),
        })
  return [...needed.values()]
}

/** Tries the servers of all rows, before anything is asked. Throws UserError where one cannot be used. */
export async function reachServers(...given: Parameters<typeof neededServers>): Promise<void> {
  for (const { reach } of neededServers(...given)) await reach()
}
