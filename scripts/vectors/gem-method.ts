import { z } from 'zod'
import { leadingEigenpairs } from '../../src/math/spectrum/leading-eigenpairs.ts'
import { similarityFactors } from '../../src/math/spectrum/factors.ts'
import { graphOperator, type GraphOperator } from '../../src/math/spectrum/graph-operator.ts'
import { averaged, type GemNode } from '../../src/methods/gem-rag/node.ts'
import { bestQuestion } from '../../src/methods/gem-rag/best-question.ts'
import { recaller, type Recallable } from '../../src/methods/gem-rag/recall.ts'
import { themesOf } from '../../src/methods/gem-rag/themes.ts'
import type { Case } from './read.ts'
import type { Adapter } from './run.ts'

const tolerance = 1e-9
const vectors = z.array(z.array(z.number()))

/** What the method adds to the spectrum: averaged questions, themes and the three ways of retrieval. */
const methodSchema = z.object({
  chunkEmbeddings: vectors,
  questionEmbeddingsRaw: z.array(vectors),
  questionEmbeddingsAveraged: z.array(vectors),
  variants: z.record(z.string(), z.record(z.string(), z.unknown())),
  retrieval: z.array(z.looseObject({ prompt: z.array(z.number()) })),
})

export function methodCases(content: unknown): Case[] {
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

interface Input {
  readonly nodes: readonly (readonly number[])[]
  readonly questions: readonly (readonly (readonly number[])[])[]
  readonly symmetrize?: 'mean' | 'max' | 'min'
  readonly prompt: readonly number[]
}

export const methodAdapters: Readonly<Record<string, Adapter>> = {
  'gem.averaged': (input: Input) => ({
    averaged: memoryOf(input).nodes.map((node) => node.questions.map(({ raw }) => [...averaged(raw, node.vector)])),
  }),
  'gem.themes': (input: Input) => {
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
  'gem.retrieval': (input: Input) => {
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
function memoryOf({ nodes, questions, symmetrize }: Input): GemTiny {
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
