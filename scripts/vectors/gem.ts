import { z } from 'zod'
import { similarityFactors } from '../../src/math/spectrum/factors.ts'
import { graphOperator, normalized, type GraphOperator } from '../../src/math/spectrum/graph-operator.ts'
import { implicitWeights } from '../../src/math/spectrum/implicit-weights.ts'
import { leadingEigenpairs } from '../../src/math/spectrum/leading-eigenpairs.ts'
import { negativeEntries } from '../../src/math/spectrum/negative-entries.ts'
import { multiply } from '../../src/math/spectrum/operator.ts'
import { graphDefaults } from '../../src/math/spectrum/weights.ts'
import { type GraphOptions } from '../../src/math/spectrum/weights.ts'
import { type Case, add, nothing, runCases, type Adapter, type Tally } from './run.ts'
import { averaged, type GemNode } from '../../src/methods/gem-rag/node.ts'
import { bestQuestion, recaller, type Recallable } from '../../src/methods/gem-rag/recall.ts'
import { themesOf } from '../../src/methods/gem-rag/themes.ts'

/** The construction of GEM-RAG: S, the graph, its spectrum, the product without S, themes and retrieval. */
export const gemTiny = async (content: unknown): Promise<Tally> => {
  const file = fileSchema.parse(content)
  const cases = [...casesOf(file), ...methodCases(content)]
  return add(await runCases(cases, { ...adapters, ...methodAdapters }), { ...nothing, skipped: notCompared(file) })
}

const tolerance = 1e-9
const vectors = z.array(z.array(z.number()))
const fields = z.record(z.string(), z.unknown())

const fileSchema = z.object({
  chunkEmbeddings: vectors,
  questionEmbeddingsAveraged: z.array(vectors),
  S: vectors,
  S_diagonal: z.array(z.number()),
  asymmetryMax: z.number(),
  variants: z.record(z.string(), fields),
  literalReadings: z.record(z.string(), z.object({ trace: z.number(), eigenvalues: vectors })),
  m0: fields,
  summaryNode: z.object({
    embedding: z.array(z.number()),
    questionEmbeddingsAveraged: vectors,
    S_row_summary_to_chunks: z.array(z.number()),
    S_col_chunks_to_summary: z.array(z.number()),
  }),
  implicit: z.object({
    A: vectors,
    B: vectors,
    diag: z.array(z.number()),
    x: z.array(z.number()),
    Lx: z.array(z.number()),
  }),
})
type File = z.infer<typeof fileSchema>

/** Readings of the paper that our options name; the others are kept in the file as what they are, other readings. */
const offered: Readonly<Record<string, Partial<GraphOptions>>> = {
  mean_SminusI_deg_rowsum_SminusI: { diagonal: 'literal' },
  mean_zeroDiag_deg_rowsum_zeroDiag: {},
}

function casesOf(file: File): Case[] {
  const nodes = file.chunkEmbeddings
  const questions = file.questionEmbeddingsAveraged
  const one = (metric: string, id: string, input: object, expected: object): Case => ({
    id: `gem-tiny ${id}`,
    metric,
    input: { nodes, questions, ...input },
    expected,
    tol: tolerance,
  })
  const { S, S_diagonal, asymmetryMax, implicit, summaryNode } = file
  const numeric = ({ W, degrees, L, trace, Lambda_sumSq, ...rest }: Record<string, unknown>) => ({
    ...{ W, degrees, L, trace, Lambda_sumSq },
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith('eigenv'))),
  })
  return [
    one('gem.similarity', 'S', {}, { S, S_diagonal, asymmetryMax }),
    one('gem.similarity', 'm0 S', { questions: nodes.map(() => []) }, { S: file.m0['S'] }),
    one('gem.graph', 'm0', { questions: nodes.map(() => []) }, { ...file.m0, S: undefined }),
    ...Object.entries(file.variants).map(([symmetrize, expected]) =>
      one('gem.graph', symmetrize, { options: { symmetrize } }, numeric(expected)),
    ),
    ...Object.entries(offered).map(([name, options]) => {
      const { trace, eigenvalues } = file.literalReadings[name]!
      return one('gem.graph', name, { options }, { trace, eigenvaluesByMagnitude: eigenvalues.map(([real]) => real) })
    }),
    one('gem.implicit', 'implicit', { x: implicit.x }, implicit),
    one(
      'gem.addedNode',
      'summaryNode',
      { nodes: [...nodes, summaryNode.embedding], questions: [...questions, summaryNode.questionEmbeddingsAveraged] },
      { row: summaryNode.S_row_summary_to_chunks, column: summaryNode.S_col_chunks_to_summary },
    ),
  ]
}

/** The other literal readings belong to no option of ours. */
const notCompared = ({ literalReadings }: File): string[] =>
  Object.keys(literalReadings)
    .filter((name) => !(name in offered))
    .map(() => 'gem.literalReading')

interface Input {
  readonly nodes: readonly (readonly number[])[]
  readonly questions: readonly (readonly (readonly number[])[])[]
  readonly options?: Partial<GraphOptions>
  readonly x?: readonly number[]
}

const adapters: Readonly<Record<string, Adapter>> = {
  'gem.similarity': (input: Input) => {
    const S = similarities(input)
    const { asymmetryMax } = graphOperator(factorsOf(input)).pairStats
    return { S, S_diagonal: S.map((row, i) => row[i]), asymmetryMax }
  },
  'gem.graph': graph,
  'gem.implicit': (input: Input) => {
    const factors = factorsOf(input)
    const weights = implicitWeights(factors, graphDefaults, negativeEntries(factors, 0))
    const S = similarities(input)
    return {
      A: rowsOf(factors.a.data, factors.a.columns),
      B: rowsOf(factors.b.data, factors.b.columns),
      diag: S.map((row, i) => row[i]),
      x: input.x,
      Lx: [...multiply(normalized(weights), input.x ?? [])],
    }
  },
  'gem.addedNode': (input: Input) => {
    const S = similarities(input)
    return { row: S.at(-1)!.slice(0, -1), column: S.slice(0, -1).map((row) => row.at(-1)) }
  },
}

const factorsOf = ({ nodes, questions }: Input) => similarityFactors(questions, nodes, 64)

function similarities(input: Input): number[][] {
  const { a, b } = factorsOf(input)
  const [left, right] = [rowsOf(a.data, a.columns), rowsOf(b.data, b.columns)]
  return left.map((row) => right.map((column) => row.reduce((sum, value, c) => sum + value * column[c]!, 0)))
}

function graph(input: Input) {
  const operator = graphOperator(factorsOf(input), input.options ?? {})
  const { n, degrees, trace } = operator
  const L = rowsOf(operator.dense(), n)
  const pairs = (order: 'magnitude' | 'algebraic') => leadingEigenpairs(operator, n, { order })
  const [byMagnitude, algebraic] = [pairs('magnitude'), pairs('algebraic')]
  return {
    W: L.map((row, i) => row.map((value, j) => value * Math.sqrt(degrees[i]! * degrees[j]!))),
    degrees: [...degrees],
    L,
    trace,
    Lambda_sumSq: operator.squares(),
    eigenvaluesByMagnitude: [...byMagnitude.values],
    eigenvectorsByMagnitude: byMagnitude.vectors.map((vector) => [...vector]),
    eigenvaluesAlgebraic: [...algebraic.values],
    eigenvectorsAlgebraic: algebraic.vectors.map((vector) => [...vector]),
  }
}

const rowsOf = (data: ArrayLike<number>, columns: number): number[][] =>
  Array.from({ length: data.length / columns }, (_, row) =>
    Array.from({ length: columns }, (_, c) => data[row * columns + c]!),
  )

/** What the method adds to the spectrum: averaged questions, themes and the three ways of retrieval. */
const methodSchema = z.object({
  chunkEmbeddings: vectors,
  questionEmbeddingsRaw: z.array(vectors),
  questionEmbeddingsAveraged: z.array(vectors),
  variants: z.record(z.string(), z.record(z.string(), z.unknown())),
  retrieval: z.array(z.looseObject({ prompt: z.array(z.number()) })),
})

function methodCases(content: unknown): Case[] {
  const {
    chunkEmbeddings: nodes,
    questionEmbeddingsRaw: questions,
    questionEmbeddingsAveraged,
    variants,
    retrieval,
  } = methodSchema.parse(content)
  const one = (metric: string, id: string, input: object, expected: object): Case => {
    return { id: `gem-tiny ${id}`, metric, input: { nodes, questions, ...input }, expected, tol: tolerance }
  }
  return [
    one('gem.averaged', 'questionEmbeddingsAveraged', {}, { averaged: questionEmbeddingsAveraged }),
    ...Object.entries(variants).map(([symmetrize, expected]) =>
      one(
        'gem.themes',
        `themes ${symmetrize}`,
        { symmetrize },
        Object.fromEntries(Object.entries(expected).filter(([key]) => key.startsWith('themes'))),
      ),
    ),
    ...retrieval.map(({ prompt, ...expected }, index) =>
      one('gem.retrieval', `retrieval ${index}`, { prompt }, expected),
    ),
  ]
}

interface MemoryInput {
  readonly nodes: readonly (readonly number[])[]
  readonly questions: readonly (readonly (readonly number[])[])[]
  readonly symmetrize?: 'mean' | 'max' | 'min'
  readonly prompt: readonly number[]
}

const methodAdapters: Readonly<Record<string, Adapter>> = {
  'gem.averaged': (input: MemoryInput) => ({
    averaged: memoryOf(input).nodes.map((node) => node.questions.map(({ raw }) => [...averaged(raw, node.vector)])),
  }),
  'gem.themes': (input: MemoryInput) => {
    const { operator } = memoryOf(input)
    const themes = (order: 'magnitude' | 'algebraic', select: 'abs' | 'signed') =>
      leadingEigenpairs(operator, 2, { order }).vectors.flatMap((vector) =>
        themesOf(vector, operator.degrees, { nodesPerTheme: 2, select }).map(({ members }) => members),
      )
    return {
      themesTop2_abs_k2: themes('magnitude', 'abs'),
      themesTop2_signed_k2: themes('magnitude', 'signed'),
      themesTop2_abs_k2_algebraic: themes('algebraic', 'abs'),
      themesTop2_signed_k2_algebraic: themes('algebraic', 'signed'),
    }
  },
  'gem.retrieval': (input: MemoryInput) => {
    const memory = memoryOf(input)
    const bare = { ...memory, nodes: memory.nodes.map((node) => ({ ...node, questions: [] })) }
    const { prompt } = input
    const order = (
      of: GemTiny,
      mode: 'algorithm-1' | 'best-first' | 'best-first-by-prompt',
      questionEmbedding: 'averaged' | 'raw',
    ) =>
      recaller([of], {
        mode,
        questionEmbedding,
        symmetrize: 'mean',
      })(prompt, of.nodes.length).map(({ node }) => node)
    const scores = (form: 'averaged' | 'raw') => memory.nodes.map((node) => bestQuestion(node, prompt, form))
    const best = (form: 'averaged' | 'raw') => {
      const found = scores(form)
      const sim = Math.max(...found.map(({ similarity }) => similarity))
      const node = found.findIndex(({ similarity }) => similarity === sim)
      return { node, question: memory.nodes[node]!.questions.indexOf(found[node]!.question!), sim }
    }
    return {
      bestQuestionAveraged: best('averaged'),
      bestQuestionRaw: best('raw'),
      nodeScoresAveraged: scores('averaged').map(({ similarity }) => similarity),
      nodeScoresRaw: scores('raw').map(({ similarity }) => similarity),
      nodeScoresChunk: bare.nodes.map((node) => bestQuestion(node, prompt, 'raw').similarity),
      algorithm1_averaged: order(memory, 'algorithm-1', 'averaged'),
      algorithm1_raw: order(memory, 'algorithm-1', 'raw'),
      m0_chunk: order(bare, 'algorithm-1', 'averaged'),
      bestFirst_edgeWeight: order(memory, 'best-first', 'averaged'),
      bestFirst_promptPriority: order(memory, 'best-first-by-prompt', 'averaged'),
    }
  },
}

type GemTiny = Recallable & { readonly operator: GraphOperator }

/** The memory that a file describes, in 64 bits. */
function memoryOf({ nodes, questions, symmetrize }: MemoryInput): GemTiny {
  const made = nodes.map((vector, index): GemNode => {
    const asked = questions[index]!.map((raw) => ({ text: '', raw, asDocument: raw }))
    return { kind: 'chunk', text: '', from: [String(index)], vector, questions: asked }
  })
  const factors = similarityFactors(
    made.map(({ questions: asked, vector }) => asked.map(({ raw }) => averaged(raw, vector))),
    nodes,
    64,
  )
  const operator = graphOperator(factors, { ...(symmetrize && { symmetrize }) })
  return { nodes: made, factors, operator }
}
