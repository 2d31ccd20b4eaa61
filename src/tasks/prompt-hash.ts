import { hashOf } from '../text/hash.ts'
import type { SampledTask } from './index.ts'

/** SHA-256 over a task's name, version and the prompt rendered from its sample: changes when a word of the prompt does. */
export const promptHash = (task: SampledTask): string =>
  hashOf({ name: task.name, version: task.version, prompt: task.prompt(task.sample) })
