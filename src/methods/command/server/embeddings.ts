import type { EmbedRole, Models } from '../../../types.ts'
import { modelNames } from '../program.ts'
import { isUnset, Refusal, refuseOthers } from './refusal.ts'

/** What is asked of the embedder; `model` is fixed by the config. */
const known = ['model', 'input', 'encoding_format', 'input_type', 'user']

/** Answers `/embeddings`; texts are embedded in the role that `input_type` says, or else in that of the request. Throws Refusal, and what the models throw. */
export async function answerEmbeddings(
  body: Readonly<Record<string, unknown>>,
  { models, role }: { readonly models: Models; readonly role: EmbedRole },
): Promise<object> {
  refuseOthers(body, known)
  const { input, encoding_format: format = 'float', input_type: type } = body
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (!texts.every((text): text is string => typeof text === 'string'))
    throw new Refusal(400, '"input" must be a text or a list of texts')
  if (format !== 'float' && format !== 'base64') throw new Refusal(400, '"encoding_format" must be "float" or "base64"')
  if (!isUnset(type) && type !== 'query' && type !== 'document')
    throw new Refusal(400, '"input_type" must be "query" or "document"')
  const vectors = await models.embed(texts, isUnset(type) ? role : (type as EmbedRole))
  const tokens = texts.reduce((sum, text) => sum + models.countTokens(text), 0)
  return {
    ...{ object: 'list', model: modelNames.embed, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    data: vectors.map((vector, index) => ({
      ...{ object: 'embedding', index, embedding: format === 'base64' ? base64Of(vector) : [...vector] },
    })),
  }
}

/** 32-bit floats, lowest byte first. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return bytes.toString('base64')
}
