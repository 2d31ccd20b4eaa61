import type { Command } from 'commander'
import { examples, withLimits, withPlan } from '../../flags.ts'
import { itemAt } from '../../../basics/collections.ts'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { trainMark, refuseForeignFile } from '../../../basics/files.ts'
import { UserError } from '../../../errors.ts'
import { drawChart } from '../../../report/figures/draw-chart.ts'
import { lossChart } from '../../../report/figures/line-chart.ts'
import { plural } from '../../../text/amounts.ts'
import { replaceFile, rowToTrain, train } from '../../../run/index.ts'
import { interruptible } from '../../ending.ts'
import { planOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../../plan.ts'
import { print, printNotice } from '../../terminal/print.ts'
import { withProgress } from '../../terminal/progress-bars.ts'

interface TrainFlags extends PlanFlags, UsageLimitFlags {
  readonly method?: string
  readonly output?: string
  readonly force: boolean
  readonly quiet: boolean
}

export const setUp = (command: Command): Command =>
  withLimits(withPlan(command))
    .option('-m, --method <label>', 'which row of graph-of-records (default: the first)')
    .option('-o, --output <file>', 'file of the weights (default: the one that the row names, or weights.json)')
    .option('--force', 'overwrite a file that this command did not make', false)
    .option('--quiet', 'show no progress', false)
    .action(trainCommand)
    .addHelpText(
      'after',
      examples(
        'gembench train -c gor.yaml',
        'gembench train -c gor.yaml --set train.contrastive=false -o without-contrastive.json',
      ),
    )

async function trainCommand(flags: TrainFlags) {
  const signal = interruptible()
  const plan = await planOf(flags)
  const file = resolve(flags.output ?? weightsOf(rowToTrain(plan, flags.method).options) ?? 'weights.json')
  const chart = `${file.replace(/\.json$/, '')}.svg`
  if (!flags.force) {
    await refuseForeignFile(file, trainMark)
    if (existsSync(chart) && !existsSync(file))
      throw new UserError(`${chart}: the chart of the losses would overwrite it; give another --output, or add --force`)
  }
  const settings = settingsOf(flags, signal)
  const result = await withProgress(!flags.quiet, (progress) => train(plan, flags.method, { ...settings, ...progress }))
  const { lossCurve, graphs, leftOut, steps, label } = result
  await replaceFile(file, result.weights)
  const { epochs, direction, labels } = plan.train
  const rounds = `${plural(epochs, 'epoch')}, ${plural(steps, 'step')}`
  const counts = `${plural(graphs, 'record graph')}, ${rounds}`
  const facts = `${counts}; labels by ${labels}, messages ${direction}, seed ${plan.seed}`
  await replaceFile(chart, await drawChart(lossChart(`Training of ${label}`, [facts], lossCurve)))
  if (leftOut > 0)
    printNotice(`${plural(leftOut, 'record graph')} left out: none of the simulated queries was answered`)
  const weights = relative(process.cwd(), file)
  print(`${label}: ${facts}`)
  const firstLoss = itemAt(lossCurve, 0).total.toFixed(4)
  const lastLoss = itemAt(lossCurve, -1).total.toFixed(4)
  print(`loss ${firstLoss} in the first epoch, ${lastLoss} in the last`)
  print(`wrote ${weights} and ${relative(process.cwd(), chart)}`)
  print(`Use them with { use: graph-of-records, gnn: trained, weights: ${weights} }`)
}

const weightsOf = (options: unknown): string | null => (options as { readonly weights: string | null }).weights
