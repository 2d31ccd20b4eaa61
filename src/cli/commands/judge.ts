import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { UserError } from '../../errors.ts'
import { drawSample, labelsCsv } from '../../report/judge/draw-sample.ts'
import { fewestQuestions, checkJudge } from '../../report/judge/judge-check.ts'
import { judgedMetric, judgedScorer } from '../../report/judge/judged-rows.ts'
import { checkNotes, checkTables, labelsLine } from '../../report/judge/messages.ts'
import { openLabels } from '../../report/judge/read-labels.ts'
import { syntheticNotes, syntheticOf } from '../../report/synthetic.ts'
import { registries } from '../../run/index.ts'
import { plural } from '../../text/amounts.ts'
import { plain } from '../../text/characters.ts'
import { examples, wholeNumber, wholeOrZero } from '../flags.ts'
import { openRun } from '../open-run.ts'
import { formatTable } from '../terminal/format-table.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'

interface JudgeSampleFlags {
  readonly scorer?: string
  readonly size: number
  readonly seed?: number
  readonly output: string
  readonly results: string
}

export function setUp(command: Command): void {
  command
    .command('sample')
    .description('Write a random sample of answers into a CSV file, for a person to judge in its column "verdict"')
    .argument('<run>', 'results folder, or its name')
    .option('--scorer <label>', 'scorer that asks the judge (default: the first of the run that asks one)')
    .option(
      '--size <questions>',
      'questions to draw; the answer of every row to each of them is taken',
      wholeNumber,
      100,
    )
    .option('--seed <number>', 'seed of the draw (default: the seed of the run)', wholeOrZero)
    .option('-o, --output <file>', 'file to write; an existing one is never overwritten', 'labels.csv')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .action(judgeSampleCommand)
    .addHelpText(
      'after',
      examples('gembench judge sample quickstart-1a2b3c4d --scorer factual-correctness -o labels.csv'),
    )

  command
    .command('check')
    .description(
      'Print how far the judge agrees with the labels of people, and means of rows that these labels correct (PPI++)',
    )
    .argument('<run>', 'results folder that the answers were drawn from, or its name')
    .argument(
      '<labels>',
      'CSV file of "judge sample" with verdicts: numbers as the judge gives them, mostly 0 to 1, or yes and no',
    )
    .option('--scorer <label>', 'another scorer than that of the labels')
    .option(
      '--metric <metric>',
      'metric of the scorer, by its name, its title or scorer.metric (default: that of its first column)',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(judgeCheckCommand)
    .addHelpText('after', examples('gembench judge check quickstart-1a2b3c4d labels.csv'))
}

/** Scorers whose judge reads the passages: a person needs them, too. */
const readsContext: ReadonlySet<string> = new Set(['faithfulness', 'context-precision', 'context-recall'])

export async function judgeSampleCommand(name: string, flags: JudgeSampleFlags): Promise<void> {
  const { manifest, folder, ...journals } = await openRun(name, flags.results)
  const scorer = judgedScorer(manifest, flags.scorer)
  const { size, output, seed = manifest.seed } = flags
  const context = readsContext.has(scorer.use)
  const sample = await drawSample(manifest, journals, scorer, { size, seed, context })
  if (existsSync(output)) throw new UserError(`${output}: exists and may hold labels; name another file with --output`)
  await writeFile(output, labelsCsv(scorer.scorer, sample.answers), { flag: 'wx' })
  const { answers, rows, questions, of } = sample
  if (manifest.finished === null)
    printNotice('note: this run is incomplete. Finish it first, so that the sample is drawn from all of its answers')
  if (questions < fewestQuestions)
    printNotice(
      `note: ${plural(questions, 'question')} are too few for a conclusion. Draw at least ${fewestQuestions} with --size`,
    )
  const { summary = '' } = (await registries.scorers.load(scorer.use)) ?? {}
  const answerCount = plural(answers.length, 'different answer')
  const questionCount = plural(questions, 'question')
  const counts = `${answerCount} of ${plural(rows, 'row')} to ${questionCount}`
  print(`wrote ${output}: ${counts}, drawn at random from ${of} (seed ${seed})`)
  const verdicts = `yes or no, or with a number as ${plain(scorer.scorer)} gives it`
  print(`Fill the column "verdict" with ${verdicts}. ${summary}`.trimEnd())
  print(`Next: npx gembench judge check ${folder} ${output}`)
}

interface JudgeCheckFlags extends JsonFlag {
  readonly scorer?: string
  readonly metric?: string
  readonly results: string
}

export async function judgeCheckCommand(name: string, file: string, flags: JudgeCheckFlags): Promise<void> {
  const { manifest, ...journals } = await openRun(name, flags.results)
  const scorerFor = (label: string) => judgedScorer(manifest, flags.scorer ?? label)
  const metricFor = (label: string) => judgedMetric(scorerFor(label), flags.metric)
  const labels = await openLabels(file, (label) => metricFor(label).range)
  const check = await checkJudge(manifest, journals, metricFor(labels.scorer), labels)
  if (flags.json) {
    printJson({ ...check, ...syntheticOf(manifest) })
    return
  }
  const title = plain([labelsLine(check), ...syntheticNotes(manifest)].join('; '))
  const tables = checkTables(check).map((table) => formatTable(table))
  print([title, ...tables, checkNotes(check).join('\n')].join('\n\n'))
}
