import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { officialFile } from './files.ts'
import { corpusOf } from './qasper-corpus.ts'
import { papersOf } from './qasper-papers.ts'

const options = z.strictObject({
  split: z
    .enum(['train', 'dev', 'test'])
    .default('train')
    .describe('Official file to take from a folder; GEM-RAG does not name its split (train is our reading)'),
  papers: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('Only the first papers of the file: GEM-RAG takes 100; null takes all'),
  captions: z
    .boolean()
    .default(false)
    .describe(
      'Adds figure and table captions to the text, as "FLOAT SELECTED: …", the form in which evidence quotes them; without them that ' +
        'evidence lies outside the text, as in the official reader (our reading)',
    ),
  textEvidenceOnly: z
    .boolean()
    .default(false)
    .describe("Leaves out evidence from figures and tables, like the official evaluator's --text_evidence_only"),
})

/** Qasper (Dasigi et al., 2021): one corpus per paper, its title, abstract, sections and paragraphs set apart by blank lines. */
export const qasper = defineDataset({
  name: 'qasper',
  summary: 'Questions that readers of NLP papers asked, with answers and evidence by one or more annotators.',
  source: 'https://allenai.org/data/qasper',
  licence: 'CC BY 4.0',
  options,
  evidence: true,
  answers: 'short',
  files: async (path, { split }) => [await fileOf(path, split)],
  async *corpora(path, { split, papers, ...reading }) {
    let count = 0
    for await (const paper of papersOf(await fileOf(path, split))) {
      yield corpusOf(paper, reading)
      if (++count === papers) return
    }
  },
  download: {
    files: [
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-train-dev-v0.3.tgz',
        name: 'qasper-train-dev-v0.3.tgz',
        sha256: 'a28fdf966db827bcee3d873107d6b6669864fb7ca8fbf73a192f5e39191bdb5a',
        bytes: 10_835_856,
        unpack: { format: 'tgz', members: ['qasper-train-v0.3.json', 'qasper-dev-v0.3.json'] },
      },
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-test-and-evaluator-v0.3.tgz',
        name: 'qasper-test-and-evaluator-v0.3.tgz',
        sha256: '72a52a41193e2838b8074f80ac074b94f956b84886c36a61c58a7df4171bdd72',
        bytes: 3_865_061,
        unpack: { format: 'tgz', members: ['qasper-test-v0.3.json'] },
      },
    ],
  },
})

const fileOf = (path: string, split: string): Promise<string> =>
  officialFile(path, [`qasper-${split}-v0.3.json`], 'qasper')
