import { menuOf, type Menu, type OptionsOf } from '../basics/loading.ts'
import type { Method } from '../types.ts'

const items = {
  'closed-book': () => import('./closed-book.ts').then(({ closedBook }) => closedBook),
  oracle: () => import('./oracle.ts').then(({ oracle }) => oracle),
  'oracle-rerank': () => import('./oracle-rerank.ts').then(({ oracleRerank }) => oracleRerank),
  'full-context': () => import('./full-context.ts').then(({ fullContext }) => fullContext),
  random: () => import('./random.ts').then(({ random }) => random),
  'tf-idf': () => import('./tf-idf.ts').then(({ tfIdf }) => tfIdf),
  bm25: () => import('./bm25.ts').then(({ bm25 }) => bm25),
  vector: () => import('./vector.ts').then(({ vector }) => vector),
  'late-interaction': () => import('./late-interaction.ts').then(({ lateInteraction }) => lateInteraction),
  'late-chunking': () => import('./late-chunking.ts').then(({ lateChunking }) => lateChunking),
  hybrid: () => import('./hybrid/hybrid.ts').then(({ hybrid }) => hybrid),
  mmr: () => import('./mmr.ts').then(({ mmr }) => mmr),
  rerank: () => import('./rerank.ts').then(({ rerank }) => rerank),
  hyde: () => import('./hyde.ts').then(({ hyde }) => hyde),
  'multi-query': () => import('./multi-query.ts').then(({ multiQuery }) => multiQuery),
  decompose: () => import('./decompose.ts').then(({ decompose }) => decompose),
  'step-back': () => import('./step-back.ts').then(({ stepBack }) => stepBack),
  ircot: () => import('./ircot.ts').then(({ ircot }) => ircot),
  contextual: () => import('./contextual.ts').then(({ contextual }) => contextual),
  propositions: () => import('./propositions.ts').then(({ propositions }) => propositions),
  'summary-index': () => import('./summary-index.ts').then(({ summaryIndex }) => summaryIndex),
  parent: () => import('./parent.ts').then(({ parent }) => parent),
  'sentence-window': () => import('./sentence-window.ts').then(({ sentenceWindow }) => sentenceWindow),
  'gem-rag': () => import('./gem-rag/gem-rag.ts').then(({ gemRag }) => gemRag),
  raptor: () => import('./raptor/raptor.ts').then(({ raptor }) => raptor),
  graphrag: () => import('./graphrag/graphrag.ts').then(({ graphrag }) => graphrag),
  unweaver: () => import('./unweaver/unweaver.ts').then(({ unweaver }) => unweaver),
  'unweaver-ppr': () => import('./unweaver-ppr.ts').then(({ unweaverPpr }) => unweaverPpr),
  hipporag: () => import('./hipporag/hipporag.ts').then(({ hipporag }) => hipporag),
  hipporag2: () => import('./hipporag2/hipporag2.ts').then(({ hipporag2 }) => hipporag2),
  hlgraphrag: () => import('./hlgraphrag/hlgraphrag.ts').then(({ hlgraphrag }) => hlgraphrag),
  'graph-of-records': () =>
    import('./graph-of-records/graph-of-records.ts').then(({ graphOfRecords }) => graphOfRecords),
  node2vec: () => import('./graph-of-records/node2vec.ts').then(({ node2vec }) => node2vec),
  'thought-r': () => import('./graph-of-records/thought-r.ts').then(({ thoughtR }) => thoughtR),
  recorded: () => import('./recorded/recorded.ts').then(({ recorded }) => recorded),
  http: () => import('./http.ts').then(({ http }) => http),
  command: () => import('./command/command.ts').then(({ command }) => command),
} as const

/** The menu: every method that a config can name, reference rows first. */
export const methods: Menu<Method> = menuOf<Method>(items)

export type MethodName = keyof typeof items

/** The options of a method, as a config writes them. */
export type MethodOptions<N extends MethodName> = OptionsOf<(typeof items)[N]>
