import { nearest } from '../../text/nearest.ts'
import type { ErrorList } from '../errors/error-list.ts'
import { child, emptyMapping, type Located, type LocatedEntry } from '../source/located-value.ts'

/** Keys of a dataset that are not options of `files`. */
const besides = ['use', 'path', 'split', 'limit', 'options']

/**
 * The config with `dataset: { documents, questions, … }`, which is short for the dataset `files`, written out: the documents are its path, what
 * else stands there its options. Any other config as it is. Reports documents that are no path.
 */
export function withOwnData(root: Located, report: ErrorList['report']): Located {
  const dataset = child(root, 'dataset')
  if (root.kind !== 'mapping' || dataset?.kind !== 'mapping') return root
  const { entries } = dataset
  const use = child(dataset, 'use')
  if (use && !(entries.has('documents') && use.kind === 'scalar' && use.value === 'files')) return root
  const name = entries.has('documents') ? 'documents' : nearest('documents', entries.keys())
  const documents = entries.get(name ?? 'questions')
  if (!documents) return root
  if (name !== 'documents')
    report(
      documents.key,
      `"dataset.documents" is missing: the folder of your documents${name === undefined ? '' : `; rename "${name}"`}`,
    )
  if (entries.has('path')) report(documents.key, 'dataset.documents and dataset.path name the same: remove one')
  if (documents.value.kind !== 'scalar' || typeof documents.value.value !== 'string' || documents.value.value === '')
    report(documents.value.at, 'dataset.documents must be the path of a folder or file')
  const own = child(dataset, 'options') ?? emptyMapping(dataset.at)
  const beside = [...entries].filter(([key]) => key !== (name ?? 'documents') && !besides.includes(key))
  const options = own.kind === 'mapping' ? { ...own, entries: new Map([...own.entries, ...beside]) } : own
  const entryOf = (value: Located): LocatedEntry => ({ key: documents.key, value })
  const written = new Map([
    ...[...entries].filter(([key]) => besides.includes(key)),
    ['use', entryOf({ kind: 'scalar', at: dataset.at, value: 'files' })] as const,
    ['path', entryOf(documents.value)] as const,
    ['options', entryOf(options)] as const,
  ])
  const plain = { ...dataset, entries: written }
  return { ...root, entries: new Map(root.entries).set('dataset', { key: dataset.at, value: plain }) }
}
