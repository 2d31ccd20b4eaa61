import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Corpus, Document } from '../../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'
import type { Counting } from '../shared/counted-corpora.ts'
import type { Setting } from './layout.ts'

const text = z.string().nullish()
const other = z.object({
  url: text,
  title: text,
  abstract: text,
  main_content: text,
  introduction: text,
  related: text,
  gt: text,
})

const target = z.object({
  ...{ url: words, title: words, abstract: words, gt: words, main_content: words },
  // of related work each stands in a list of its own
  additional_info: z.array(z.union([other, z.tuple([other], z.unknown())])).optional(),
  additional_graph_info: z.object({ node_feat: z.record(z.string(), z.array(other)) }).optional(),
})

const release = 'a paper of AcademicEval (url, title, abstract, gt and main_content)'

type Other = z.output<typeof other>

/** A paper to be written about, and those that it cites, where the file says. */
export interface Paper {
  readonly target: z.output<typeof target>
  readonly cited: readonly Other[]
}

/** The paper of a file: one object, or of related work a list of it and the papers that it cites. Throws UserError naming line and field. */
export async function paperOf(file: string): Promise<Paper> {
  const records: { line: number; value: unknown }[] = []
  for await (const record of jsonRecords(file)) records.push(record)
  const [first, ...rest] = records
  if (!first) throw new UserError(`${file}: contains no JSON object`)
  return {
    target: shape(target, first.value, `${file}:${first.line}`, release),
    cited: rest.map(({ line, value }) =>
      shape(other, value, `${file}:${line}`, 'a paper that is cited (title and abstract)'),
    ),
  }
}

/**
 * A corpus of the paper itself, those that it cites, and those that its setting adds; the paper is none of the latter. What is to be written
 * is the reference; title and abstract are given unless they are that.
 */
export function corpusOf({ target, cited }: Paper, setting: Setting, { leftOut }: Counting): Corpus {
  const { url, title, abstract, main_content, additional_info = [], additional_graph_info } = target
  const id = url
  const own = setting.startsWith('title') ? main_content.replaceAll(title, '') : main_content
  const beside = [
    ...additional_info.map((one) => (Array.isArray(one) ? one[0] : one)),
    ...Object.values(additional_graph_info?.node_feat ?? {}).flat(),
  ]
  const others = new Map<string, Document>()
  for (const [number, one] of [...cited, ...beside].entries()) {
    const key = one.url?.trim() || `paper-${number + 1}`
    const document = documentOf(one, key)
    if (key === url) leftOut('papers of co-authors that are the paper itself')
    else if (others.has(key)) leftOut('papers that are named twice')
    else if (document.text === '') leftOut('papers without text')
    else others.set(key, document)
  }
  const question = {
    id,
    text: requestOf(setting, title.trim(), abstract.trim()),
    reference: { kind: 'summary', accepted: [target.gt.trim()] } as const,
    cluster: id,
  }
  return { id, documents: [{ id, text: own }, ...others.values()], questions: [question] }
}

/** Everything that is known of another paper, each text once. */
function documentOf({ title, abstract, main_content, introduction, related, gt }: Other, id: string): Document {
  const parts = [title, abstract, introduction, related, gt, main_content].map((part) => part?.trim() ?? '')
  const whole = [...new Set(parts)].filter((part) => part !== '').join('\n\n')
  return { id, text: whole, ...(title?.trim() && { title: title.trim() }) }
}

/** What is asked for, in our words, with what AcademicEval gives for it. */
function requestOf(setting: Setting, title: string, abstract: string): string {
  const given = { title: `Its title is: ${title}`, abstract: `Its abstract is: ${abstract}` }
  if (setting.startsWith('title')) return `Write the title of this paper, in about 10 words. ${given.abstract}`
  if (setting.startsWith('abs')) return `Write the abstract of this paper, in about 200 words. ${given.title}`
  const [part, words] = setting.startsWith('intro') ? ['introduction', '1000 to 1500'] : ['related work', '500 to 1000']
  return `Write the section "${part}" of this paper, in ${words} words. ${given.title}\n${given.abstract}`
}
