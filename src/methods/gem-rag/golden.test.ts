import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import {
  graphOperator,
  implicitWeights,
  normalizeWeights,
  type GraphOperator,
} from '../../math/spectrum/graph-operator.ts'
import { leadingEigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { denseOf, multiply } from '../../math/spectrum/operator.ts'
import { storedWeights } from '../../math/spectrum/weights.ts'
import { replayGolden, vectorsFolder, type GoldenCase, type Replay } from '../../test-support/golden.ts'
import { averageVectors, type GemNode } from './memory.ts'
import { bestQuestion, recaller } from './recall.ts'
import { themeOf } from './themes.ts'

/** The construction of GEM-RAG that gem-tiny.json holds: four chunks of two questions each in three dimensions. */
interface GemTiny {
  readonly chunkEmbeddings: Rows
  readonly questionEmbeddingsRaw: readonly Rows[]
  readonly questionEmbeddingsAveraged: readonly Rows[]
  readonly S: Rows
  readonly S_diagonal: readonly number[]
  readonly asymmetryMax: number
  readonly variants: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly literalReadings: Readonly<Record<string, { readonly trace: number; readonly eigenvalues: Rows }>>
  readonly m0: Readonly<Record<string, unknown>>
  readonly summaryNode: {
    readonly embedding: readonly number[]
    readonly questionEmbeddingsAveraged: Rows
    readonly S_row_summary_to_chunks: readonly number[]
    readonly S_col_chunks_to_summary: readonly number[]
  }
  readonly implicit: { readonly x: readonly number[] }
  readonly retrieval: readonly ({ readonly prompt: readonly number[] } & Readonly<Record<string, unknown>>)[]
}

type Rows = readonly (readonly number[])[]

/** Our reading of the paper; the others are kept in the file as what they are, other readings. */
const ourReading = 'mean_zeroDiag_deg_rowsum_zeroDiag'

/** A weight of the two similarities of a pair: their mean is ours, and the others are weights as any. */
const weightOf: Readonly<Record<string, (above: number, below: number) => number>> = { max: Math.max, min: Math.min }

function casesOf(file: GemTiny): GoldenCase[] {
  const { chunkEmbeddings: nodes, questionEmbeddingsAveraged: questions, questionEmbeddingsRaw } = file
  const { S, S_diagonal, asymmetryMax, implicit, summaryNode, m0 } = file
  const one = (metric: string, id: string, input: object, expected: object): GoldenCase => ({
    id: `gem-tiny ${id}`,
    metric,
    input: { nodes, questions, ...input },
    expected,
    tol: 1e-9,
  })
  const raw = (metric: string, id: string, input: object, expected: object): GoldenCase =>
    one(metric, id, { questions: questionEmbeddingsRaw, ...input }, expected)
  const fieldsOf = (fields: object, name: RegExp): object =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => name.test(key)))
  return [
    one('gem.similarity', 'S', {}, { S, S_diagonal, asymmetryMax }),
    one('gem.similarity', 'm0 S', { questions: nodes.map(() => []) }, { S: m0['S'] }),
    one('gem.graph', 'm0', { questions: nodes.map(() => []) }, fieldsOf(m0, /^(?!S$)/)),
    ...Object.entries(file.variants).flatMap(([symmetrize, expected]) => [
      one('gem.graph', symmetrize, { symmetrize }, fieldsOf(expected, /^(W|degrees|L|trace|Lambda_|eigenv)/)),
      raw('gem.themes', `themes ${symmetrize}`, { symmetrize }, fieldsOf(expected, /^themes/)),
    ]),
    ...Object.entries(file.literalReadings).flatMap(([name, { trace, eigenvalues }]) =>
      name === ourReading
        ? [one('gem.graph', name, {}, { trace, eigenvaluesByMagnitude: eigenvalues.map(([real]) => real) })]
        : [],
    ),
    one('gem.implicit', 'implicit', { x: implicit.x }, implicit),
    one(
      'gem.addedNode',
      'summaryNode',
      { nodes: [...nodes, summaryNode.embedding], questions: [...questions, summaryNode.questionEmbeddingsAveraged] },
      { row: summaryNode.S_row_summary_to_chunks, column: summaryNode.S_col_chunks_to_summary },
    ),
    raw('gem.averaged', 'questionEmbeddingsAveraged', {}, { averaged: questions }),
    ...file.retrieval.map(({ prompt, ...expected }, index) =>
      raw('gem.retrieval', `retrieval ${index}`, { prompt }, expected),
    ),
  ]
}

interface Input {
  readonly nodes: readonly (readonly number[])[]
  readonly questions: readonly (readonly (readonly number[])[])[]
  readonly symmetrize?: string
  readonly x?: readonly number[]
}

const spectrumReplays: Readonly<Record<string, Replay>> = {
  'gem.similarity': (input: Input) => {
    const S = similarities(input)
    const apart = S.flatMap((row, i) => row.map((value, j) => Math.abs(value - S[j]![i]!)))
    return { S, S_diagonal: S.map((row, i) => row[i]), asymmetryMax: Math.max(...apart) }
  },
  'gem.graph': graph,
  'gem.implicit': (input: Input) => {
    const factors = factorsOf(input)
    const weights = implicitWeights(factors, 'implicit')
    const S = similarities(input)
    return {
      A: rowsOf(factors.a.data, factors.a.columns),
      B: rowsOf(factors.b.data, factors.b.columns),
      diag: S.map((row, i) => row[i]),
      x: input.x,
      Lx: [...multiply(normalizeWeights(weights), input.x ?? [])],
    }
  },
  'gem.addedNode': (input: Input) => {
    const S = similarities(input)
    return { row: S.at(-1)!.slice(0, -1), column: S.slice(0, -1).map((row) => row.at(-1)) }
  },
}

const factorsOf = ({ nodes, questions }: Input) => similarityFactors(questions, nodes, 64)

function operatorOf(factors: Factors, symmetrize = 'mean'): GraphOperator {
  const join = weightOf[symmetrize]
  if (!join) return graphOperator(factors)
  const S = similaritiesOf(factors)
  const weights = S.flatMap((row, i) => row.map((value, j) => (i === j ? 0 : Math.max(0, join(value, S[j]![i]!)))))
  return normalizeWeights(storedWeights(Float64Array.from(weights), S.length))
}

const similarities = (input: Input): number[][] => similaritiesOf(factorsOf(input))

function similaritiesOf({ a, b }: Factors): number[][] {
  const [left, right] = [rowsOf(a.data, a.columns), rowsOf(b.data, b.columns)]
  return left.map((row) => right.map((column) => row.reduce((sum, value, c) => sum + value * column[c]!, 0)))
}

function graph(input: Input) {
  const operator = operatorOf(factorsOf(input), input.symmetrize)
  const { n, degrees } = operator
  const L = rowsOf(denseOf(operator), n)
  const pairs = (order: 'magnitude' | 'algebraic') => leadingEigenpairs(operator, n, { order })
  const [byMagnitude, algebraic] = [pairs('magnitude'), pairs('algebraic')]
  return {
    W: L.map((row, i) => row.map((value, j) => value * Math.sqrt(degrees[i]! * degrees[j]!))),
    degrees: [...degrees],
    L,
    trace: L.reduce((sum, row, i) => sum + row[i]!, 0),
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

interface MemoryInput {
  readonly nodes: readonly (readonly number[])[]
  readonly questions: readonly (readonly (readonly number[])[])[]
  readonly symmetrize?: string
  readonly prompt: readonly number[]
}

const methodReplays: Readonly<Record<string, Replay>> = {
  'gem.averaged': (input: MemoryInput) => ({
    averaged: memoryOf(input).nodes.map((node) =>
      node.questions.map(({ raw }) => [...averageVectors(raw, node.vector)]),
    ),
  }),
  'gem.themes': (input: MemoryInput) => {
    const { operator } = memoryOf(input)
    const themes = (order: 'magnitude' | 'algebraic', select: 'abs' | 'signed') =>
      leadingEigenpairs(operator, 2, { order }).vectors.map(
        (vector) => themeOf(vector, operator.degrees, { most: 2, select }).members,
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
      of: TinyMemory,
      mode: 'algorithm-1' | 'best-first' | 'best-first-by-prompt',
      form: 'averaged' | 'raw',
    ) => recaller([of], mode, form)(prompt, of.nodes.length).map(({ node }) => node)
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

interface TinyMemory {
  readonly nodes: readonly GemNode[]
  readonly factors: () => Factors
  readonly operator: GraphOperator
}

/** The memory that a file describes, in 64 bits. */
function memoryOf({ nodes, questions, symmetrize }: MemoryInput): TinyMemory {
  const made = nodes.map((vector, index): GemNode => {
    const asked = questions[index]!.map((raw) => ({ text: '', raw, asDocument: raw }))
    return { kind: 'chunk', text: '', from: [String(index)], vector, questions: asked, echoes: 0 }
  })
  const factors = similarityFactors(
    made.map(({ questions: asked, vector }) => asked.map(({ raw }) => averageVectors(raw, vector))),
    nodes,
    64,
  )
  return { nodes: made, factors: () => factors, operator: operatorOf(factors, symmetrize) }
}

const gemTiny = JSON.parse(readFileSync(join(vectorsFolder, 'gem-tiny.json'), 'utf8')) as GemTiny
replayGolden({ ...spectrumReplays, ...methodReplays }, casesOf(gemTiny))
