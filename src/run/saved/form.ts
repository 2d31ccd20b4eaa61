import { z } from 'zod'
import { listOf } from '../../text/shape-faults.ts'
import { tokenizerNames } from '../../text/tokens.ts'
import { answersWanted, cutBy } from '../../types.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { hashOf } from '../../text/hash.ts'

/** What `format` says in every such file. */
export const savedFormat = 'gembench index'

/** Raised when the files change their form; a file of another version is refused. */
export const savedVersion = 2

const count = z.int().min(0)

/** The model that made the vectors. `digest`: of its name and the settings that change vectors. */
const embedder = z.object({ provider: z.string(), model: z.string(), digest: z.string() })

/**
 * The index of one corpus by one method, as a JSON file: `gembench` the version that wrote it, `answers` how the
 * dataset asks for free answers, `chunks` the texts that passages quote, `index` the method's own part. It names no
 * address, path or key.
 */
export const savedIndexForm = z.object({
  format: z.literal(savedFormat),
  version: z.literal(savedVersion),
  gembench: z.string(),
  method: z.string(),
  corpus: z.string(),
  answers: z.enum(answersWanted),
  embedder,
  chunking: z.object({
    size: z.int().min(1),
    overlap: count,
    by: z.enum(cutBy),
    path: z.boolean().optional(),
    percentile: z.number().optional(),
    tokenizer: z.enum(tokenizerNames),
  }),
  chunks: listOf(
    z.object({
      ...{ id: z.string(), documentId: z.string(), position: count, start: count, end: count },
      ...{ text: z.string(), tokens: count, lead: count.exactOptional() },
    }),
  ),
  index: z.unknown(),
})

export type SavedIndex = z.output<typeof savedIndexForm>
type SavedEmbedder = z.output<typeof embedder>

/** The embedder of a run as a file names it: the same model at another address is the same embedder. */
export function embedderOf(models: Pick<OpenedModels, 'describe' | 'identify'>): SavedEmbedder {
  const { provider, model, parameters } = models.identify().embed
  const digest = hashOf({ provider, model, parameters }).slice(0, 16)
  return { provider, model: models.describe().embed.model, digest }
}

/** Throws UserError where the embedder is not the one that made the vectors of a file. */
export function refuseOtherEmbedder(
  file: string,
  made: SavedEmbedder,
  models: Pick<OpenedModels, 'describe' | 'identify'>,
): void {
  const asked = embedderOf(models)
  if (asked.digest === made.digest) return
  const [maker, other] = [nameOf(made), nameOf(asked)]
  throw new UserError(
    `${file}: its vectors were made by the model ${maker}, and models.embed is ${
      maker === other ? `the same with other settings (digest ${asked.digest}, not ${made.digest})` : other
    }: set models.embed to the one that made them`,
  )
}

const nameOf = ({ provider, model }: SavedEmbedder): string => JSON.stringify(`${provider} ${model}`.slice(0, 200))
