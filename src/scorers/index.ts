import type { Scorer } from '../types.ts'
import { accuracy } from './accuracy.ts'
import { qasperF1 } from './qasper-f1.ts'
import { retrieval } from './retrieval.ts'
import { squad } from './squad.ts'

/** Every scorer that a config can name. */
export const scorers: readonly Scorer[] = [accuracy, qasperF1, retrieval, squad]
