/**
 * gembench as a library: runs and what is made of results, and how to define a method, scorer, dataset, task or model
 * of your own. What these are made of is in `gembench/toolkit`, checks of your own are in `gembench/testing`.
 */

import type * as diffModule from './library/diff.ts'
import type * as scoreModule from './run/scoring/score-one.ts'
import type * as planModule from './library/plan.ts'
import type * as powerModule from './library/power.ts'
import type * as reportModule from './library/report.ts'
import type * as tableModule from './library/table.ts'
import type * as verifyModule from './library/verify.ts'

// functions, loaded with the first call, so that a plug-in that imports this package stays small
export { run, type RunResult } from './library/run.ts'

/**
 * The expected usage of a run, without a call and without results; it takes what `run` takes. Throws
 * UserError for everything that `run` would refuse before its first call.
 */
export const plan: typeof planModule.plan = async (...args) => (await import('./library/plan.ts')).plan(...args)

/** The table of a results folder. Throws UserError for another folder, and for an unknown row, metric or label. */
export const table: typeof tableModule.table = async (...args) => (await import('./library/table.ts')).table(...args)

/** The tables of several results folders. Throws UserError as `table` does, and if they cannot share a table. */
export const tables: typeof tableModule.tables = async (...args) => (await import('./library/table.ts')).tables(...args)

/**
 * Compares two results folders, or one row of each (`results/a-1234#bm25`), on one metric. Throws UserError for
 * folders, rows and metrics that are not there.
 */
export const diff: typeof diffModule.diff = async (...args) => (await import('./library/diff.ts')).diff(...args)

/**
 * The questions and repeats that a difference needs. Throws UserError without two rows or a metric, and for unknown
 * names.
 */
export const power: typeof powerModule.power = async (...args) => (await import('./library/power.ts')).power(...args)

/**
 * Writes one or several runs as one HTML page; the first is compared with each of the others. Throws UserError for a
 * folder that holds no results, and where another file stands.
 *
 *     await report(await run({ dataset: 'sample', methods: ['bm25', 'random'] }), { output: 'report.html' })
 */
export const report: typeof reportModule.report = async (...args) =>
  (await import('./library/report.ts')).report(...args)

/**
 * Whether a results folder is unchanged, its trials follow from the recorded responses, its scores from its
 * trials, and its tables from its lines. No model is called. Throws UserError for another folder.
 */
export const verify: typeof verifyModule.verify = async (...args) =>
  (await import('./library/verify.ts')).verify(...args)

/**
 * Scores one answer by one scorer, by name or itself. Throws UserError for an unknown scorer, an option that does not
 * fit, a kind of question that it does not score and a model that it needs, ModelError where a model fails, and Error
 * where the scorer gives no number, or one outside its range.
 *
 *     await score('squad', { question: 'Who built it?', answer: 'Tamsin Vale', reference: ['Tamsin Vale'] })
 *     // { metrics: { exactMatch: 1, f1: 1 } }
 */
export const score: typeof scoreModule.score = async (...args) =>
  (await import('./run/scoring/score-one.ts')).score(...args)

export type { PlannedRun, PlanResult } from './library/plan.ts'
export type { Costs, PlanLine } from './library/plan-lines.ts'
export type { Tables, TableSettings } from './library/table.ts'
export type { Diff, DiffQuestion, DiffSettings } from './library/diff.ts'
export type { Power, PowerSettings } from './library/power.ts'
export type { Report, ReportedRun, ReportSettings } from './library/report.ts'
export type { Verified, VerifySettings } from './library/verify.ts'
export type { Check } from './run/index.ts'
export type { Asked, JudgeSettings, ScoreSettings } from './run/scoring/score-one.ts'
export type {
  DatasetSetting,
  MethodSetting,
  ModelSetting,
  ModelSettings,
  PlugInFile,
  RunConfig,
  ScorerSetting,
} from './run/run-config.ts'
export type { UsageLimits as Limits } from './models/index.ts'
export type { RunSettings } from './run/prepare/settings.ts'
export type { Comparison, Result, ResultRow, RowScore } from './report/result.ts'

// definitions and types
export * from './define.ts'
export { defineProvider } from './models/index.ts'
export * from './types.ts'
export type { Completion, CompletionRequest, Embeddings, OpenContext, Provider, ProviderKind } from './models/index.ts'
export type { PlainData, PlainDocument, PlainEvidence, PlainQuestion } from './datasets/index.ts'
export { ModelError, UsageLimitError, UserError } from './errors.ts'
export { z } from 'zod'

// registries
export { datasets } from './datasets/index.ts'
export { methods } from './methods/index.ts'
export { scorers } from './scorers/index.ts'
export type { Registry } from './basics/loading.ts'

// types of results
export type { CallsSoFar, Progress, Stage } from './run/index.ts'
export type { Cell } from './report/gather/estimate.ts'
export type { UsageCell } from './report/gather/usage.ts'
export type { Table, TableRow } from './report/table/table.ts'
export type { Manifest } from './records.ts'
