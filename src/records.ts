// What the files of a results folder hold: a schema for each, from which its type is inferred.
export type { Failure, Row, VariedValue } from './records/parts.ts'
export { timingLine as meterLine, type TimingLine as MeterLine } from './records/usage.ts'
export { passageText, type PassageText } from './records/passage.ts'
export {
  scoreLine,
  storedLine,
  type IndexLine,
  type ScoreLine,
  type Stop,
  type StoredLine,
  type TrialLine,
} from './records/lines.ts'
export type { JudgeTest, MethodRecord, ModelRecord, ReplacedRow, ScorerRecord } from './records/entries.ts'
export {
  manifestSchema as manifestForm,
  resultsFormat,
  seriesRecord,
  type ChunksRecord,
  type CompareRecord,
  type DocumentDigests,
  type IndexesRecord,
  type Manifest,
  type SeriesRecord,
  type SyntheticRecord,
} from './records/manifest.ts'
