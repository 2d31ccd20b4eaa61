import type { ZodType } from 'zod'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** `maxTokens`: what the reply may need; a model set to longer replies may use more. */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly maxTokens?: number
}

/**
 * What is asked of a language model, as data. `text` replies are parsed as they stand, `json` replies leniently: of a list, items that do
 * not fit or were cut are left out and counted. Where the reply counts only as a `whole`, it is unreadable then.
 */
export interface Task<I, T> {
  readonly name: string
  readonly version: number
  readonly reply: 'text' | 'json'
  readonly whole?: true
  prompt(input: I): Prompt
  readonly output: ZodType<T>
}

/** The one door to language models and embedders. */
export interface Models {
  /** Prompt, call, parse, one repair question, typed result. Throws ModelError when that fails. */
  run<I, T>(task: Task<I, T>, input: I): Promise<T>
  /** One unit vector per text, in order; all of one length. Throws ModelError on a failed call or a vector that is not finite. */
  embed(texts: readonly string[], role?: EmbedRole): Promise<readonly Float32Array[]>
  /** One vector per token of the text, special tokens included. */
  embedTokens(text: string): Promise<readonly Float32Array[]>
  /** Tokens of the run's tokenizer. */
  countTokens(text: string): number
  /** Seeded by run, corpus, method, question and repeat; uniform in [0, 1). */
  random(): number
}

export type EmbedRole = 'query' | 'document'
