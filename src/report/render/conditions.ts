import { syntheticNotes, runsIn } from '../synthetic.ts'
import { groupBy } from '../../basics/collections.ts'
import type { ChunksRecord, Manifest, ModelRecord } from '../../records.ts'
import { answerTasks } from '../../tasks/answers.ts'
import { languageName } from '../../text/language.ts'
import { usualPercentile } from '../../types.ts'
import { plural, present } from '../../text/amounts.ts'

/** The run conditions in one line; for a series, the shared ones and the varied options. */
export function conditionsOf(manifest: Manifest): string {
  const [first = [], ...rest] = runsIn(manifest).map(statementsOf)
  const isShared = (statement: string) => rest.every((statements) => statements.includes(statement))
  const sharedStatements = first.filter(isShared)
  const { series } = manifest
  const variedOptions = series && `varied: ${series.varied.join(', ')}`
  return present(sharedStatements, variedOptions, syntheticNotes(manifest)).join('; ')
}

function statementsOf(manifest: Manifest) {
  const { chunks, budget, answers, models, prompts } = manifest
  const passages = plural(budget.passages, 'passage')
  const answering = `answers by ${modelName(models.answer ?? models.complete)}`
  const embedding = `embeddings by ${modelName(models.embed)}`
  const answer = answers === 'none' ? 'no answers' : answering
  const { readsTokens } = models.embed
  const hashes = Object.entries(prompts).map(
    ([task, { version, hash, own }]) => `${task} ${own ? 'of the config' : `v${version}`} ${hash}`,
  )
  return present(
    datasetText(manifest),
    chunkingText(chunks),
    answers === 'none' ? `rankings of ${passages}` : `budget ${passages} and ${plural(budget.tokens, 'token')}`,
    answer,
    models.rerank && `passages reranked by ${modelName(models.rerank)}`,
    models.answer && `other calls of the methods by ${modelName(models.complete)}`,
    judgeStatement(manifest),
    readsTokens === undefined ? embedding : `${embedding} (reads ${plural(readsTokens, 'token')} of a text)`,
    (hashes.length > 0 || answers !== 'none') && `prompts ${hashes.join(', ')}`,
  )
}

function datasetText({ dataset, asks }: Manifest) {
  const { name, questions, language, documents, corpora } = dataset
  const spoken = language === undefined ? '' : ` in ${languageName(language)}`
  const asked = asks?.questions === questions ? 'all' : asks?.questions
  const now = asks ? ` (this config asks ${asked}, ${plural(asks.repeats, 'time')} each)` : ''
  const place = `${plural(documents, 'document')} in ${plural(corpora, 'corpus', 'corpora')}`
  return `${name}${optionsOf(dataset)}: ${plural(questions, 'question')}${spoken}${now} on ${place}`
}

export const modelName = ({ provider, model }: ModelRecord) => [...new Set([provider, model])].join(' ')

/** Names the judges; lists the scorers of each if there are several. */
function judgeStatement({ models, prompts, scorers }: Manifest) {
  const answerer = models.answer ?? models.complete
  const nameOf = (judge: ModelRecord) => {
    const isAnswerer = (['provider', 'model', 'baseUrl'] as const).every((field) => judge[field] === answerer[field])
    return `${isAnswerer ? 'the model that answers, ' : ''}${modelName(judge)}`
  }
  const judgingScorers = scorers.filter(
    ({ judge, kinds }) => judge && kinds.some((kind) => prompts[answerTasks[kind].name]),
  )
  const judges = groupBy(judgingScorers, ({ judgedBy = models.judge }) => nameOf(judgedBy))
  const names = Array.from(judges, ([name, group]) =>
    judges.size === 1 ? name : `${name} (${group.map(({ scorer }) => scorer).join(', ')})`,
  )
  return names.length > 0 && `judged by ${names.join(' and by ')}`
}

/** Options as ` (split dev, corpus gold)`; includes the file if options did not select it. */
function optionsOf({ options, files: [file], unused = [] }: Manifest['dataset']) {
  const entries = Object.entries((options ?? {}) as Readonly<Record<string, unknown>>)
  const settings = [
    ...(unused.length > 0 ? [['file', file] as const] : []),
    ...entries.filter(([option, value]) => value !== null && !unused.includes(option)),
  ]
  if (settings.length === 0) return ''
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return ` (${settings.map(([option, value]) => `${option} ${text(value)}`).join(', ')})`
}

function chunkingText({ by, size, overlap, path, percentile = usualPercentile }: ChunksRecord) {
  const length = `${plural(size, 'token')}${overlap > 0 ? `, overlap ${overlap}` : ''}`
  const kinds: Readonly<Record<Exclude<ChunksRecord['by'], 'none' | 'tokens'>, string>> = {
    sentences: 'chunks of whole sentences',
    paragraphs: 'chunks of whole paragraphs',
    headings: `chunks of sections${path ? ' with the path of their headings' : ''}`,
    recursive: 'chunks cut recursively',
    semantic: `chunks cut where the subject changes (percentile ${percentile})`,
  }
  if (by === 'none') return 'one chunk per document'
  return by === 'tokens' ? `chunks of ${length}` : `${kinds[by]}, at most ${length}`
}
