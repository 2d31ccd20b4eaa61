import { defineMethod } from '../../define.ts'
import { utilityQuestions } from '../../tasks/utility-questions.ts'
import { summarise } from '../../tasks/summarise.ts'
import { byDocument } from '../shared/by-document.ts'
import { gemIndex } from './gem-index.ts'
import { remember } from './memory.ts'
import { formerOptions, gemOptions } from './options.ts'
import { loadedGem } from './saved/load.ts'
import { refuseAllLost } from '../shared/run-each.ts'
import { gemCosts } from './costs.ts'

/**
 * GEM-RAG: chunks are tagged with the utility questions that they answer, tied by how well one's questions fit the other's text, and the
 * leading eigenvectors of that graph name the themes whose summaries join it. Its authors released no code: this is our reading, with
 * every choice that the paper leaves open an option. Chunk size (100 tokens, no overlap), and the budget of 4 nodes and 400 tokens are
 * the config's `chunks` and `budget`.
 */
export const gemRag = defineMethod({
  name: 'gem-rag',
  summary:
    'Graphical eigen memories: a similarity graph of chunks by their utility questions, and summaries of its eigenthemes.',
  paper:
    'Rappazzo, Wang, Ferber and Gomes, GEM-RAG: Graphical Eigen Memories For Retrieval Augmented Generation (our reading)',
  tasks: [utilityQuestions, summarise],
  options: gemOptions,
  former: formerOptions,
  embedsChunks: () => true,
  costs: gemCosts,
  paperCalls: {
    formula: '1 for each of 5 questions of a node, and 1 a summary',
    count: (_, stat) => stat('paperCalls'),
  },
  async index(chunks, models, options) {
    const groups = options.scope === 'corpus' ? [chunks] : [...byDocument(chunks).values()]
    const memories = await Promise.all(
      groups.filter((group) => group.length > 0).map((group) => remember(group, models, options)),
    )
    refuseAllLost(
      utilityQuestions,
      memories.flatMap(({ nodes }) => nodes.map(({ lost }) => lost)),
    )
    return gemIndex({ options, chunks, memories })
  },
  load: (saved, chunks) => gemIndex(loadedGem(saved, chunks)),
})
