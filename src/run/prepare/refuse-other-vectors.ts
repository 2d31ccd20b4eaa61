import { UserError } from '../../errors.ts'
import { createMeter, type OpenedModels } from '../../models/index.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { refuseOtherEmbedder } from '../saved/embedder.ts'

type Entries = readonly Pick<MethodEntry, 'requires'>[]

/** Throws UserError where a file of a method was made with another embedder than that of the run. Nothing is asked. */
export function refuseOtherVectors(methods: Entries, models: Pick<OpenedModels, 'describe' | 'identify'>): void {
  for (const { file, embedder } of vectorsOf(methods)) if (embedder) refuseOtherEmbedder(file, embedder, models)
}

/**
 * Throws UserError where a file of a method was made of vectors of another length. One text is embedded to learn the length, before a language
 * model is asked; none where no method has such a file.
 */
export async function refuseOtherDimensions(methods: Entries, models: Pick<OpenedModels, 'scope'>): Promise<void> {
  const needed = vectorsOf(methods)
  if (needed.length === 0) return
  const [vector] = await models
    .scope({ phase: 'index', sample: 0, seed: [], meter: createMeter() })
    .embed(['How long is a vector?'], 'document')
  const length = vector?.length ?? 0
  for (const { file, dimensions } of needed)
    if (dimensions !== length)
      throw new UserError(
        `${file}: was made of vectors of ${dimensions} numbers, and models.embed gives ${length}: set models.embed to the one that made them, or train again`,
      )
}

const vectorsOf = (methods: Entries) => methods.flatMap(({ requires }) => requires?.vectors ?? [])
