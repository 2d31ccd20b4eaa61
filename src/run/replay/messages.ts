import { plural } from '../../text/amounts.ts'

/** The messages of `verify`: the outcome of each check, and the reason where a check is impossible. */
export const messages = {
  digests: {
    unfinished: 'the run has not ended, so its manifest has no digests',
    same: (files: readonly string[]) => `${files.join(', ')} unchanged since the run`,
    changed: (files: readonly string[]) => `${files.join(', ')} changed since the run`,
  },
  lines: {
    same: 'one for each trial, score and passage',
    faulty: (places: string) =>
      `${places}: a later line has this id, or a text does not match its digest; edited, or written by two runs`,
  },
  calls: {
    absent: 'not in this folder; gembench publish writes the calls of a finished run beside its lines',
    complete: (total: number, file: string) => `all ${total} are in ${file}: the run repeats without a model`,
    incomplete: (missing: number, total: number, file: string, places: string) =>
      `${missing} of ${total} missing from ${file}: ${places}`,
  },
  retrieval: {
    impossible: (reason: string) => `not replayed: ${reason}`,
    noCalls: 'no calls are recorded',
    missingCalls: (count: number) => `${plural(count, 'call')} missing`,
    noTrial: 'no trial to replay',
    same: (sameCount: number, total: number) => `${sameCount} of ${plural(total, 'trial')} unchanged when replayed`,
    differing: (places: string) => `lines differ: ${places}`,
    withoutLine: (ids: string) => `trials without a line in trials.jsonl: ${ids}`,
    skipped: (count: number, reason: string) => `${count} not replayed (${reason})`,
    failed: 'they failed in the run',
    noRow: 'their row cannot be replayed',
    noCall: 'a call is missing',
    exempt: 'not compared: token counts of the embedder, which need its tokenizer',
    needsTrust: 'the config names its dataset by a path; --trust reads it',
    noRows: 'every row needs --trust',
    otherSetting:
      'the run had another setting: other files of the dataset, another version of gembench, or an edited manifest',
  },
  scores: {
    missingCalls: 'calls of a judge are missing',
    none: 'the run has no scores',
    skipped: (scorers: readonly string[]) => `not scored again: ${scorers.join(', ')} (changed in this version)`,
    same: (count: number) => `${plural(count, 'line')} unchanged when scored again offline`,
    differing: (differing: number, total: number, newCount: number, places: readonly string[]) =>
      [`${differing} of ${plural(total, 'line')} differ when scored again, ${newCount} are new`, ...places].join(': '),
  },
  tables: {
    missing: 'no such file',
    same: 'unchanged when rendered again',
    differs: (place: string) => `differs when rendered again, first at ${place}`,
  },
} as const
