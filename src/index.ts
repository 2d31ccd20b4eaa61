/**
 * gembench as a library: runs and what is made of results, and how to define a method, scorer, dataset, task or model of your own. What these are
 * made of is in `gembench/toolkit`, checks of your own are in `gembench/testing`.
 */

// what can be called
export { run, type RunResult } from './api/run.ts'
export { plan, type Costs, type PlanLine, type PlannedRun, type PlanResult } from './api/plan.ts'
export { table, tables, type Tables, type TableSettings } from './api/table.ts'
export { diff, type Diff, type DiffQuestion, type DiffSettings } from './api/diff.ts'
export { power, type Power, type PowerSettings } from './api/power.ts'
export { report, type Report, type ReportedRun, type ReportSettings } from './api/report.ts'
export { verify, type Check, type Verified, type VerifySettings } from './api/verify.ts'
export { score, type ScoreSettings } from './api/score.ts'
export { openJudge, type Judge, type JudgeSettings } from './api/judge.ts'
export type { Asked } from './api/asked.ts'
export type {
  DatasetSetting,
  MethodSetting,
  ModelSetting,
  ModelSettings,
  PlugInFile,
  RunConfig,
  ScorerSetting,
} from './api/config.ts'
export type { Limits, RunSettings } from './api/open-config.ts'
export type { Comparison, Result, ResultRow, RowScore } from './api/result.ts'

// what to define, and what everything looks like
export * from './define.ts'
export { callOptions, defineProvider } from './models/index.ts'
export * from './types.ts'
export type { Completion, CompletionRequest, Embeddings, OpenContext, Provider, ProviderKind } from './models/index.ts'
export type { PlainData, PlainDocument, PlainEvidence, PlainQuestion } from './datasets/index.ts'
export { ModelError, SpendingLimitError, UserError } from './errors.ts'
export { z } from 'zod'

// what there is, by name
export { datasets } from './datasets/index.ts'
export { methods } from './methods/index.ts'
export { scorers } from './scorers/index.ts'
export type { Menu } from './basics/loading.ts'

// what results hold
export type { Progress, Stage } from './run/index.ts'
export type { Cell } from './report/table/estimate.ts'
export type { Table, TableRow, UsageCell } from './report/table/table.ts'
export type { Manifest } from './records.ts'
