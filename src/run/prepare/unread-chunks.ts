import { chunk } from '../../chunking/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Prepared } from './prepare.ts'

/** What the embedder will not read of the chunks of a run. `tokens` are those of all chunks, `estimated` where the run's tokenizer counted them. */
export interface UnreadChunks {
  /** Labels of the methods that embed the chunks. */
  readonly methods: readonly string[]
  readonly embedder: string
  readonly readsTokens: number
  readonly chunks: number
  readonly cutChunks: number
  readonly tokens: number
  readonly unreadTokens: number
  readonly estimated: boolean
}

/** Cuts the documents as the run will and counts what its embedder will cut off; undefined where that is nothing, or no method says that it embeds chunks. */
export async function unreadChunks({
  plan,
  models,
  methods,
  corpora,
}: Pick<Prepared, 'plan' | 'models' | 'methods' | 'corpora'>): Promise<UnreadChunks | undefined> {
  const embedding = methods.filter(({ method, options }) => method.embedsChunks?.(options))
  const { model, readsTokens } = models.describe().embed
  if (embedding.length === 0 || readsTokens === undefined) return undefined
  const words = tokenizer(plan.chunks.tokenizer)
  const sum = { chunks: 0, cutChunks: 0, tokens: 0, unreadTokens: 0, estimated: false }
  for await (const { documents } of corpora()) {
    for (const [index, document] of documents.entries()) {
      for (const { text } of chunk(document, index, plan.chunks, words)) {
        const { tokens, unread, estimated } = models.reading(text, 'document')
        sum.chunks++
        sum.cutChunks += Number(unread > 0)
        sum.tokens += tokens + unread
        sum.unreadTokens += unread
        sum.estimated ||= estimated
      }
    }
  }
  const labels = [...new Set(embedding.map(({ row }) => row.method))]
  return sum.cutChunks === 0 ? undefined : { methods: labels, embedder: model, readsTokens, ...sum }
}
