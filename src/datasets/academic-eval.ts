import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { UserError } from '../errors.ts'
import type { Document } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { fillPlaceholders } from '../text/placeholders.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { filesIn, split } from './shared/official-file.ts'
import { type MalformedRecords, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstOnly } from './shared/selection.ts'

/** The folders of AcademicEval: what is to be written, thousands of tokens to read; G: papers of co-authors. */
const settings = /^(title|abs|intro|related)_\d+K(_G)?$/

const ofTitle = 'Its title is: {{title}}'
const ofAbstract = 'Its abstract is: {{abstract}}'
const requests = {
  title: `Write the title of this paper, in about 10 words. ${ofAbstract}`,
  abs: `Write the abstract of this paper, in about 200 words. ${ofTitle}`,
  intro: `Write the section "introduction" of this paper, in 1000 to 1500 words. ${ofTitle}\n${ofAbstract}`,
  related: `Write the section "related work" of this paper, in 500 to 1000 words. ${ofTitle}\n${ofAbstract}`,
}

const options = z.strictObject({
  setting: z
    .string()
    .regex(settings, 'must be a folder of AcademicEval such as abs_9K')
    .default('abs_9K')
    .describe(
      'Folder to read if the path has several: the part to write, thousands of tokens to read, G for papers of co-authors',
    ),
  split: split(['train', 'val', 'test'], 'test'),
  items: firstItems('papers, in byte order of their file names'),
})

/** AcademicEval (Zhang et al., 2025): one corpus per paper, without the part to write, with its setting's papers. */
export const academicEval = publishedDataset({
  name: 'academic-eval',
  summary: 'Papers whose title, abstract, introduction or related work is to be written from the rest of their text.',
  source: 'https://huggingface.co/datasets/ulab-ai/AcademicEval',
  licence: "code: MIT; papers: each one's licence on arXiv",
  layout:
    'folders `title_10K`, `abs_9K`, `abs_28K`, `abs_29K_G`, `intro_8K`, `related_34K`, … with a `.json` file per paper',
  options,
  files: filesOf,
  async *corpora({ files, options: { items }, bad, holds, leftOut }) {
    const isFirst = firstOnly(items, 'papers', { leftOut })
    for (const file of files) {
      holds('papers')
      const read = isFirst() ? await bad.attemptAsync(() => paperIn(file, bad)) : undefined
      if (!read) continue
      const { paper, relatedPapers } = read
      const id = paper.url
      const documents = new Map<string, Document>()
      for (const document of relatedPapers) {
        if (document.id === id) leftOut('papers of co-authors that are the paper itself')
        else if (document.text !== '' && !documents.has(document.id)) documents.set(document.id, document)
      }
      const folder = basename(dirname(file))
      const requestsOfSetting = Object.entries(requests).filter(([name]) => folder.startsWith(name))
      const [part, request] = itemAt(requestsOfSetting, 0)
      const text = part === 'title' ? paper.main_content.replaceAll(paper.title, '') : paper.main_content
      const hints = { title: paper.title.trim(), abstract: paper.abstract.trim() }
      yield {
        id,
        documents: [{ id, text }, ...documents.values()],
        questions: [summaryQuestion(id, fillPlaceholders(request, hints), [paper.gt])],
      }
    }
  },
})

async function filesOf(path: string, { setting, split }: z.output<typeof options>) {
  const folder = settings.test(basename(path)) ? path : join(path, setting)
  const files = await filesIn(folder, 'json', 'expected folders such as abs_9K with a JSON file per paper')
  const matches = files.filter((file) => basename(file).includes(split))
  if (matches.length > 0) return matches
  throw new UserError(`${folder}: contains no JSON file with "${split}" in its name; set the option "split"`)
}

const text = z.string().nullish()
const otherPaper = z.object({
  url: text,
  title: text,
  abstract: text,
  introduction: text,
  related: text,
  gt: text,
  main_content: text,
})

const target = z.object({
  url: words,
  title: words,
  abstract: words,
  gt: words,
  main_content: words,
  // related work wraps each paper in a list
  additional_info: z
    .array(z.union([otherPaper, z.tuple([otherPaper], z.unknown()).transform(([paper]) => paper)]))
    .default([]),
  additional_graph_info: z.object({ node_feat: z.record(z.string(), z.array(otherPaper)) }).optional(),
})

const anyPaper = z.unknown().describe('a paper of AcademicEval (url, title, abstract, gt and main_content)')

async function paperIn(file: string, bad: MalformedRecords) {
  let paper: z.output<typeof target> | undefined
  const citations: z.output<typeof otherPaper>[] = []
  for await (const { value, number, part } of recordsOf(file, anyPaper, bad))
    if (number === 1) paper = part(target, value)
    else citations.push(...[part(otherPaper, value) ?? []].flat())
  if (!paper) return undefined
  const { additional_info: additions, additional_graph_info: graph } = paper
  const relatedPapers = [...citations, ...additions, ...Object.values(graph?.node_feat ?? {}).flat()]
  return { paper, relatedPapers: relatedPapers.map((citation, at) => documentOf(citation, `paper-${at + 1}`)) }
}

/** All texts of another paper, each once. */
function documentOf({ url, ...texts }: z.output<typeof otherPaper>, number: string): Document {
  const { title, abstract, introduction, related: relatedWork, gt, main_content } = texts
  const parts = [title, abstract, introduction, relatedWork, gt, main_content].map((part) => part?.trim() ?? '')
  const text = [...new Set(parts)].filter((part) => part !== '').join('\n\n')
  return { id: url?.trim() || number, text, ...(parts[0] && { title: parts[0] }) }
}
