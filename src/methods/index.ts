import type { Method } from '../types.ts'
import { bm25 } from './bm25.ts'
import { closedBook } from './closed-book.ts'
import { fullContext } from './full-context.ts'
import { gemRag } from './gem-rag.ts'
import { oracle } from './oracle.ts'
import { random } from './random.ts'
import { vector } from './vector.ts'

/** The menu: every method that a config can name, brackets first. Options reach a method only through its own schema. */
export const methods: readonly Method[] = [closedBook, oracle, fullContext, random, bm25, vector, gemRag]
