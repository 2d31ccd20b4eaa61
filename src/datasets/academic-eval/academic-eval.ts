import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { countedCorpora, firstItems } from '../shared/counted-corpora.ts'
import { layoutOf, settings } from './layout.ts'
import { corpusOf, paperOf } from './papers.ts'

const options = z.strictObject({
  setting: z
    .enum(settings)
    .default('abs_9K')
    .describe(
      'Folder to read when the path holds several: what is to be written (title, abstract, introduction, related work), how many tokens there are to read, and G for papers of co-authors',
    ),
  split: z
    .enum(['train', 'val', 'test'])
    .default('test')
    .describe('Files to read: those whose names contain this word, as in the code of AcademicEval'),
  items: firstItems('papers, in byte order of their file names', 'GoR takes 30 of test and 400 of train'),
  onBadRecord,
})

/**
 * AcademicEval (Zhang et al., 2025): one corpus per paper, of its text without the part that is to be written, and of the papers that the
 * setting adds.
 */
export const academicEval = defineDataset({
  name: 'academic-eval',
  summary: 'Papers whose title, abstract, introduction or related work is to be written from the rest of their text.',
  source: 'https://huggingface.co/datasets/ulab-ai/AcademicEval',
  licence: "code: MIT; papers: each one's licence on arXiv",
  layout:
    'folders `title_10K`, `abs_9K`, `abs_28K`, `abs_29K_G`, `intro_8K`, `related_34K`, … with a `.json` file per paper',
  options,
  evidence: false,
  files: async (path, { setting, split }) => (await layoutOf(path, setting, split)).files,
  unused: ([file], path) => (file === path ? ['setting', 'split'] : []),
  corpora: (path, chosen) =>
    skippingBad(chosen.onBadRecord, (bad) =>
      countedCorpora(path, async function* (counting) {
        const { setting, files } = await layoutOf(path, chosen.setting, chosen.split)
        let kept = 0
        for (const file of files) {
          counting.holds('papers')
          if (kept === chosen.items) {
            counting.leftOut('papers beyond the number asked for')
            continue
          }
          const paper = await bad.attemptAsync(() => paperOf(file))
          if (!paper) continue
          kept++
          yield corpusOf(paper, setting, counting)
        }
      }),
    ),
})
