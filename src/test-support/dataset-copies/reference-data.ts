import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DatasetCase } from '../../testing/dataset.ts'

const referenceFolder = new URL('../../../../shared/data/', import.meta.url)

/**
 * The cases whose file or folder lies in `shared/data` beside the repository, each with its whole path; none where
 * nothing lies there.
 */
export const inReferenceData = <T extends unknown[]>(
  ...cases: readonly [name: string, ...T][]
): [path: string, ...T][] =>
  cases.flatMap(([name, ...more]): [string, ...T][] => {
    const path = fileURLToPath(new URL(name, referenceFolder))
    return existsSync(path) ? [[path, ...more]] : []
  })

const cases = (
  ...expectations: readonly [name: string, counts: NonNullable<DatasetCase['counts']>, options?: object][]
): readonly DatasetCase[] =>
  inReferenceData(...expectations).map(([path, counts, options = {}]) => ({ path, counts, options }))

/** Published files, or invented ones in `summaries`, by the name of their dataset, and what they hold. */
export const shelfFiles: Readonly<Record<string, readonly DatasetCase[]>> = {
  quality: cases([
    'quality/QuALITY.v1.0.1.htmlstripped.dev.sample3.jsonl',
    { corpora: 3, documents: 3, questions: 24, tags: { hard: 12 } },
  ]),
  qasper: cases(['qasper/qasper-train-v0.3.sample5.json', { corpora: 5, documents: 5, questions: 33, tags: {} }]),
  ragbench: cases(
    [
      'ragbench',
      {
        corpora: 1,
        documents: 219,
        questions: 522,
        tags: { unsupported: 70 },
        leftOut: { 'rows that repeat a question': 532 },
      },
      { subset: 'emanual' },
    ],
    ['ragbench/emanual_train_20.jsonl', { corpora: 1, documents: 52, questions: 20 }],
    ['ragbench/emanual_test_20.jsonl', { corpora: 1, documents: 46, questions: 20 }],
    ['ragbench/covidqa_test_20.jsonl', { corpora: 1, documents: 76, questions: 20 }],
  ),
  'covid-qa': cases(
    ['covidqa/COVID-QA.first5docs.json', { corpora: 1, documents: 5, questions: 41, tags: {} }],
    ['covidqa/200423_covidQA.sample.json', { corpora: 1, documents: 5, questions: 27, tags: { 'repaired-offset': 1 } }],
  ),
  emanual: cases(['emanual', { corpora: 1, documents: 261, questions: 50, tags: {} }]),
  '2wikimultihopqa': cases(
    [
      'recorded/multihop/2wikimultihopqa.sample20.json',
      {
        corpora: 1,
        documents: 6119,
        questions: 20,
        tags: { bridge_comparison: 7, comparison: 7, compositional: 5, inference: 1 },
      },
      { corpusFile: '2wikimultihopqa_corpus.json' },
    ],
    ['recorded/multihop/2wikimultihopqa.sample20.json', { documents: 184, questions: 20 }],
    [
      'recorded/fast-graphrag/results/graph/2wikimultihopqa_101.json',
      { documents: 6119, questions: 101 },
      { corpusFile: '../../../multihop/2wikimultihopqa_corpus.json' },
    ],
  ),
  hotpotqa: cases([
    'recorded/multihop/hotpotqa_train.json',
    { corpora: 1, documents: 994, questions: 100, tags: { bridge: 78, comparison: 22 } },
  ]),
  popqa: cases([
    'recorded/multihop/popqa.json',
    { corpora: 1, documents: 464, questions: 400, tags: { occupation: 400 } },
  ]),
  nq: cases(
    [
      'recorded/multihop/nq_flashrag_test.jsonl',
      { corpora: 1, documents: 6119, questions: 17, tags: {} },
      { corpusFile: '2wikimultihopqa_corpus.json' },
    ],
    [
      'recorded/multihop/sample_nq_10.jsonl',
      { documents: 994, questions: 10 },
      { corpusFile: 'hotpotqa_train_corpus.json' },
    ],
  ),
  'graphrag-podcast': cases([
    'recorded/graphrag-podcast/data',
    { corpora: 1, documents: 60, questions: 125, tags: {}, holds: { parts: 1669 } },
  ]),
  musique: cases(
    [
      'musique/musique_train.hipporag100.json',
      {
        corpora: 1,
        documents: 1890,
        questions: 100,
        tags: { '2hop': 68, '3hop1': 24, '3hop2': 3, '4hop1': 3, '4hop3': 2 },
      },
    ],
    ['musique/musique_train.hipporag100.json', { documents: 234, questions: 100 }, { corpus: 'gold' }],
    [
      'musique/musique_ans_v1.0.sample20.jsonl',
      {
        corpora: 1,
        documents: 359,
        questions: 20,
        tags: { '2hop': 10, '3hop1': 3, '3hop2': 3, '4hop1': 2, '4hop2': 1, '4hop3': 1 },
      },
    ],
    ['musique/musique_ans_v1.0.sample20.jsonl', { documents: 43 }, { corpus: 'gold' }],
  ),
  qmsum: cases(
    [
      'qmsum/ALL.test.jsonl',
      {
        corpora: 35,
        documents: 35,
        questions: 281,
        tags: { general: 37, specific: 244 },
        holds: { meetings: 35, 'general queries': 37, 'specific queries': 244 },
      },
      { queries: 'all' },
    ],
    ['qmsum/ALL.test.jsonl', { questions: 37 }],
    ['qmsum/ALL.test.jsonl', { corpora: 30, questions: 31 }, { items: 30 }],
    [
      'qmsum/ALL.test.5.jsonl',
      { holds: { meetings: 5, 'general queries': 5, 'specific queries': 30 } },
      { queries: 'all' },
    ],
  ),
  squality: cases(
    [
      'squality/v1-3.txt.test.jsonl',
      {
        corpora: 52,
        documents: 52,
        questions: 260,
        tags: {},
        holds: { stories: 52, questions: 260, 'reference summaries': 1040 },
      },
      { question: 'all' },
    ],
    ['squality/v1-3.txt.test.jsonl', { corpora: 52, questions: 52 }],
    ['squality/v1-3.txt.dev.5.jsonl', { holds: { stories: 5, questions: 25, 'reference summaries': 100 } }],
  ),
  wcep: cases([
    'summaries/fixtures-invented/wcep',
    { corpora: 1, holds: { events: 6, 'events of more than 6000 words': 1 } },
  ]),
  booksum: cases(['summaries/fixtures-invented/booksum', { corpora: 2, questions: 3 }]),
  govreport: ['document/test-00000-of-00001.sample10.parquet', 'test.sample10.jsonl'].flatMap((name) =>
    cases([
      `summaries/govreport/${name}`,
      {
        corpora: 1,
        questions: 1,
        holds: { reports: 10, 'reports of more than 8000 words': 1 },
        leftOut: { 'reports of at most 8000 words': 9 },
      },
    ]),
  ),
  'academic-eval': (
    [
      ['abs_9K', { documents: 1 }],
      ['abs_28K', { documents: 6 }],
      ['abs_29K_G', { documents: 3, leftOut: { 'papers of co-authors that are the paper itself': 1 } }],
    ] as const
  ).flatMap(([setting, counts]) =>
    cases([
      'summaries/fixtures-invented/academiceval',
      { corpora: 1, questions: 1, holds: { papers: 1 }, ...counts },
      { setting },
    ]),
  ),
}
