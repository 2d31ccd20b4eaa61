import type { Method } from '../types.ts'
import { bm25 } from './bm25.ts'
import { closedBook } from './closed-book.ts'
import { command } from './command/command.ts'
import { fullContext } from './full-context.ts'
import { gemRag } from './gem-rag/gem-rag.ts'
import { graphOfRecords } from './graph-of-records/graph-of-records.ts'
import { node2vec } from './graph-of-records/node2vec.ts'
import { thoughtR } from './graph-of-records/thought-r.ts'
import { graphrag } from './graphrag/graphrag.ts'
import { hipporag } from './hipporag/hipporag.ts'
import { hipporag2 } from './hipporag2/hipporag2.ts'
import { hybridOf } from './hybrid/hybrid.ts'
import { hlgraphrag } from './hlgraphrag/hlgraphrag.ts'
import { oracle } from './oracle.ts'
import { random } from './random.ts'
import { tfIdf } from './tf-idf.ts'
import { unweaverPpr } from './unweaver-ppr.ts'
import { unweaver } from './unweaver/unweaver.ts'
import { raptor } from './raptor/raptor.ts'
import { vector } from './vector.ts'

/** Every method but those that are made of others. */
const single: readonly Method[] = [
  closedBook,
  oracle,
  fullContext,
  random,
  tfIdf,
  bm25,
  vector,
  gemRag,
  raptor,
  graphrag,
  unweaver,
  unweaverPpr,
  hipporag,
  hipporag2,
  hlgraphrag,
  graphOfRecords,
  node2vec,
  thoughtR,
  command,
]

/** The menu: every method that a config can name, reference rows first. Options reach a method only through its own schema. */
export const methods: readonly Method[] = single.toSpliced(single.indexOf(vector) + 1, 0, hybridOf(single))
