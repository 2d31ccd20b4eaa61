import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { officialFile, ofFolder } from '../shared/official-file.ts'
import { corpusOf } from './corpus.ts'
import { papersOf } from './papers.ts'

const options = z.strictObject({
  split: z
    .enum(['train', 'dev', 'test'])
    .default('train')
    .describe(
      'Official file to read when the path is a folder; GEM-RAG does not say which split it uses (train is our reading)',
    ),
  papers: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('Number of papers to use, the first of the file; GEM-RAG uses 100, null uses all'),
  captions: z
    .boolean()
    .default(false)
    .describe(
      'Adds figure and table captions to the text, as "FLOAT SELECTED: …", the form in which evidence quotes them; without captions, such ' +
        'evidence is not in the text, as in the official reader (our reading)',
    ),
  textEvidenceOnly: z
    .boolean()
    .default(false)
    .describe("Leaves out evidence from figures and tables, like the official evaluator's --text_evidence_only"),
  onBadRecord,
})

/** Qasper (Dasigi et al., 2021): one corpus per paper, its title, abstract, sections and paragraphs set apart by blank lines. */
export const qasper = defineDataset({
  name: 'qasper',
  summary: 'Questions by readers of NLP papers, with answers and evidence by one or more annotators.',
  source: 'https://allenai.org/data/qasper',
  licence: 'CC BY 4.0',
  layout: '`qasper-{train,dev,test}-v0.3.json`',
  options,
  evidence: true,
  answers: 'short',
  files: async (path, { split }) => [await fileOf(path, split)],
  unused: ofFolder('split'),
  corpora: (path, { split, papers, onBadRecord, ...reading }) =>
    skippingBad(onBadRecord, async function* (bad) {
      let count = 0
      for await (const paper of papersOf(await fileOf(path, split), bad)) {
        const corpus = bad.attempt(() => corpusOf(paper, reading))
        if (!corpus) continue
        yield corpus
        if (++count === papers) return
      }
    }),
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
