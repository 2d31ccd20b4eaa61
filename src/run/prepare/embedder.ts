import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { hashOf } from '../../text/hash.ts'
import type { Requirements } from '../../types.ts'

/** The model that made vectors. `digest`: of its name and the settings that change vectors. */
type Embedder = NonNullable<NonNullable<Requirements['vectors']>['embedder']>

/** The embedder of a run as a file names it: the same model at another address is the same embedder. */
export function embedderOf(models: Pick<OpenedModels, 'describe' | 'identify'>): Embedder {
  const { provider, model, parameters } = models.identify().embed
  const digest = hashOf({ provider, model, parameters }).slice(0, 16)
  return { provider, model: models.describe().embed.model, digest }
}

/** Throws UserError where the embedder is not the one that made the vectors of a file. */
export function refuseOtherEmbedder(
  file: string,
  vectorModel: Embedder,
  models: Pick<OpenedModels, 'describe' | 'identify'>,
): void {
  const embedder = embedderOf(models)
  if (embedder.digest === vectorModel.digest) return
  const [makerName, name] = [nameOf(vectorModel), nameOf(embedder)]
  throw new UserError(
    `${file}: its vectors were made by the model ${makerName}, and models.embed is ${
      makerName === name ? `the same with other settings (digest ${embedder.digest}, not ${vectorModel.digest})` : name
    }: set models.embed to the one that made them`,
  )
}

const nameOf = ({ provider, model }: Embedder): string => JSON.stringify(`${provider} ${model}`.slice(0, 200))
