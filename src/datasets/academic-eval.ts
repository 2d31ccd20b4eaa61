import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Corpus, Document } from '../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { filesIn, split } from './shared/official-file.ts'
import { type Counting, firstItems, publishedDataset } from './shared/published-dataset.ts'

/** The folders of AcademicEval: what is to be written, thousands of tokens to read; G: papers of co-authors. */
const settings = [
  'title_10K',
  'title_30K',
  'title_31K_G',
  'abs_9K',
  'abs_28K',
  'abs_29K_G',
  'intro_8K',
  'intro_28K',
  'intro_28K_G',
  'related_34K',
  'related_53K',
  'related_53K_G',
] as const

type Setting = (typeof settings)[number]

const options = z.strictObject({
  setting: z
    .enum(settings)
    .default('abs_9K')
    .describe(
      'Folder to read when the path holds several: what is to be written (title, abstract, introduction, related work), how many tokens there are to read, and G for papers of co-authors',
    ),
  split: split(['train', 'val', 'test'], 'test'),
  items: firstItems('papers, in byte order of their file names', 'GoR takes 30 of test and 400 of train'),
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
  evidence: false,
  files: filesOf,
  async *corpora({ files, options: { items, setting }, bad, holds, leftOut }) {
    let count = 0
    for (const file of files) {
      holds('papers')
      // papers beyond the limit are not read
      const isRead = count !== items
      const paper = isRead ? await bad.attemptAsync(() => paperOf(file)) : undefined
      if (!isRead) leftOut('papers beyond the number asked for')
      if (!paper) continue
      count++
      yield corpusOf(paper, settingOf(file, setting), leftOut)
    }
  },
})

/**
 * The files with a paper each, in byte order of their names: the one that is named, or those of the folder whose names
 * contain the split. Throws UserError naming the folder that is missing or holds none.
 */
async function filesOf(
  path: string,
  { setting, split }: z.output<typeof options>,
): Promise<readonly [string, ...string[]]> {
  const there = await stat(path).catch(() => undefined)
  const form = 'expected folders such as abs_9K with a JSON file per paper'
  if (!there) throw new UserError(`${path}: no such file or folder; ${form}`)
  if (!there.isDirectory()) return [path]
  const folder = isSetting(basename(path)) ? path : join(path, setting)
  const files = await filesIn(folder, 'json', form)
  const [first, ...rest] = files.filter((file) => basename(file).includes(split))
  if (first !== undefined) return [first, ...rest]
  throw new UserError(`${folder}: contains no JSON file with "${split}" in its name; set the option "split"`)
}

const isSetting = (name: string): name is Setting => (settings as readonly string[]).includes(name)

/** The folder of a file decides its setting, before the option. */
function settingOf(file: string, defaultSetting: Setting): Setting {
  const folder = basename(dirname(file))
  return isSetting(folder) ? folder : defaultSetting
}

const text = z.string().nullish()
const otherPaper = z.object({
  url: text,
  title: text,
  abstract: text,
  main_content: text,
  introduction: text,
  related: text,
  gt: text,
})

const target = z.object({
  url: words,
  title: words,
  abstract: words,
  gt: words,
  main_content: words,
  // related work wraps each paper in a list
  additional_info: z.array(z.union([otherPaper, z.tuple([otherPaper], z.unknown())])).optional(),
  additional_graph_info: z.object({ node_feat: z.record(z.string(), z.array(otherPaper)) }).optional(),
})

const release = 'a paper of AcademicEval (url, title, abstract, gt and main_content)'

type Other = z.output<typeof otherPaper>

/** The paper of a file, and those that it cites where it is a list. Throws UserError naming line and field. */
async function paperOf(file: string) {
  let paper: z.output<typeof target> | undefined
  const citations: Other[] = []
  for await (const { line, value } of jsonRecords(file)) {
    const where = `${file}:${line}`
    if (paper) citations.push(shape(otherPaper, value, where, 'a paper that is cited (title and abstract)'))
    else paper = shape(target, value, where, release)
  }
  if (!paper) throw new UserError(`${file}: contains no JSON object`)
  return { paper, cited: citations }
}

/**
 * A corpus of the paper itself, those that it cites, and those that its setting adds; the paper is not among the
 * latter.
 * What is to be written is the reference; title and abstract are given unless they are that.
 */
function corpusOf(
  { paper, cited: citations }: Awaited<ReturnType<typeof paperOf>>,
  setting: Setting,
  leftOut: Counting['leftOut'],
): Corpus {
  const { url: id, title, abstract, main_content, additional_info = [], additional_graph_info } = paper
  const papers = [
    ...citations,
    ...additional_info.map((item) => (Array.isArray(item) ? item[0] : item)),
    ...Object.values(additional_graph_info?.node_feat ?? {}).flat(),
  ]
  const documents = new Map<string, Document>()
  for (const [number, item] of papers.entries()) {
    const key = item.url?.trim() || `paper-${number + 1}`
    const document = documentOf(item, key)
    if (key === id) leftOut('papers of co-authors that are the paper itself')
    else if (documents.has(key)) leftOut('papers that are named twice')
    else if (document.text === '') leftOut('papers without text')
    else documents.set(key, document)
  }
  const text = setting.startsWith('title') ? main_content.replaceAll(title, '') : main_content
  const question = summaryQuestion(id, requestOf(setting, title.trim(), abstract.trim()), [paper.gt])
  return { id, documents: [{ id, text }, ...documents.values()], questions: [question] }
}

/** All texts of another paper, each once. */
function documentOf(
  { title, abstract, main_content, introduction, related: relatedWork, gt }: Other,
  id: string,
): Document {
  const parts = [title, abstract, introduction, relatedWork, gt, main_content].map((part) => part?.trim() ?? '')
  const fullText = [...new Set(parts)].filter((part) => part !== '').join('\n\n')
  return { id, text: fullText, ...(title?.trim() && { title: title.trim() }) }
}

/** The request for the part to write, in our words, with the hints that AcademicEval gives. */
function requestOf(setting: Setting, title: string, abstract: string): string {
  const hints = { title: `Its title is: ${title}`, abstract: `Its abstract is: ${abstract}` }
  if (setting.startsWith('title')) return `Write the title of this paper, in about 10 words. ${hints.abstract}`
  if (setting.startsWith('abs')) return `Write the abstract of this paper, in about 200 words. ${hints.title}`
  const [part, words] = setting.startsWith('intro') ? ['introduction', '1000 to 1500'] : ['related work', '500 to 1000']
  return `Write the section "${part}" of this paper, in ${words} words. ${hints.title}\n${hints.abstract}`
}
