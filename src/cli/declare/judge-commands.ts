import type { Command } from 'commander'
import type { JudgeCheckFlags, JudgeSampleFlags } from '../commands/judge.ts'
import { commaList, score, wholeNumber, wholeOrZero } from './flags.ts'

/** Commands that check judges against the labels of people. */
export function declareJudgeCommands(judge: Command): void {
  judge
    .command('sample')
    .description(
      'Write answers to questions drawn at random, for a person to judge in the column "verdict" of a CSV file; rows and scores are not shown',
    )
    .argument('<run>', 'results folder, or its name')
    .option('--scorer <label>', 'scorer that asks the judge (default: the first of the run that asks one)')
    .option(
      '--size <questions>',
      'questions to draw; the answer of every row to each of them is taken',
      wholeNumber,
      100,
    )
    .option('--methods <labels>', 'only the answers of these methods, by label, separated by commas', commaList)
    .option('--seed <number>', 'seed of the draw (default: the seed of the run)', wholeOrZero)
    .option(
      '--context',
      'show the passages too; always so for faithfulness, context-precision and context-recall',
      false,
    )
    .option('-o, --output <file>', 'file to write; an existing one is never overwritten', 'labels.csv')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .action(async (run: string, flags: JudgeSampleFlags) =>
      (await import('../commands/judge.ts')).judgeSampleCommand(run, flags),
    )
  judge
    .command('check')
    .description(
      'Print how far the judge agrees with the labels of people, and means and differences of rows that these labels correct (PPI++)',
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
    .option(
      '--threshold <score>',
      'of graded scores, count this and more as right, for κ, sensitivity and specificity',
      score,
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, labels: string, flags: JudgeCheckFlags) =>
      (await import('../commands/judge.ts')).judgeCheckCommand(run, labels, flags),
    )
}
