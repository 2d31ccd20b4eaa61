import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { fileOption } from '../../../define.ts'
import { UserError } from '../../../errors.ts'
import { completer, loadLlama, openLlama } from './complete.ts'
import { callOptions, defineProvider, optionNamed } from '../../provider.ts'

/** Language models in GGUF files on this computer's processor, by llama.cpp. */
export const gguf = defineProvider({
  name: 'gguf',
  summary: 'A language model in a GGUF file, run on this computer; needs the package node-llama-cpp.',
  can: ['complete'],
  options: z.strictObject({
    path: fileOption(z.string().min(1).describe('The GGUF file, relative to the config file.')),
    threads: z.int().min(1).max(256).default(2).describe('Number of threads per call.'),
    contextSize: z
      .int()
      .min(64)
      .default(4096)
      .describe('Largest number of tokens of prompt and reply together; longer calls fail.'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .default(0)
      .describe('Sampling temperature; 0 always takes the most likely token.'),
    seed: z
      .int()
      .min(0)
      .default(42)
      .describe('Seed; the number of the repeat is added to it; no effect at temperature 0.'),
    maxTokens: z
      .int()
      .min(1)
      .default(512)
      .describe('Largest number of tokens in a reply; a task that needs more gets more.'),
    ...callOptions,
    concurrency: z.literal(1).default(1).describe('Must be 1: parallel calls would influence each other.'),
  }),
  async open({ path, threads, contextSize, temperature, seed, maxTokens }, { place }) {
    const file = statSync(path, { throwIfNoEntry: false })
    if (!file?.isFile())
      throw new UserError(`gguf: no such file ${resolve(path)}; set ${optionNamed('path', place)} to a GGUF file`)
    const opened = await openLlama(await loadLlama(), path, contextSize, threads)
    return {
      name: 'gguf',
      model: basename(path),
      parameters: { bytes: file.size, contextSize, temperature, seed, maxTokens },
      complete: completer(opened, { temperature, seed, maxTokens }),
      close: () => opened.llama.dispose(),
    }
  },
})
