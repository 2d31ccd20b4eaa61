import { Command } from 'commander'
import { declareDataCommands } from './declare/data-commands.ts'
import { declareResultsCommands } from './declare/results-commands.ts'
import { declareRunCommands } from './declare/run-commands.ts'

/** The commands by what one wants, in the order of the help. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'The first day:': ['init', 'validate', 'run', 'show', 'report'],
  'Start:': ['ls', 'data', 'questions', 'plan'],
  'Run:': ['score', 'train', 'work'],
  'Read:': ['table', 'query', 'graph'],
  'Compare:': ['diff', 'power'],
  'Papers:': ['reproduce'],
  'Check:': ['check', 'judge', 'verify'],
  'Maintain:': ['publish'],
}

/** The command line. Every command loads its own code, so that `--version` and `--help` answer at once. */
export function program(version: string): Command {
  const declared = plainCommand('')
  declareRunCommands(declared)
  declareResultsCommands(declared)
  declareDataCommands(declared)
  const gembench = plainCommand('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
  for (const [heading, names] of Object.entries(groups))
    for (const name of names) {
      const command = declared.commands.find((one) => one.name() === name)
      if (command) gembench.addCommand(command.helpGroup(heading))
    }
  addExamples(gembench)
  return gembench
}

const plainCommand = (name: string): Command =>
  new Command(name)
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['gembench init ./notes'],
  questions: ['gembench questions --count 20', 'gembench questions -c notes.yaml -o drafts.jsonl --budget-usd .50'],
  run: [
    'gembench run -c configs/quickstart.yaml',
    'gembench run --limit 3 --methods bm25,vector --set budget.tokens=500',
    'gembench run -c configs/quickstart.yaml --workers redis://10.0.0.5:6379',
  ],
  work: ['gembench work redis://10.0.0.5:6379', 'gembench work redis://10.0.0.5:6379 --concurrency 4'],
  validate: ['gembench validate -c configs/quickstart.yaml', 'gembench validate -c gembench.yaml --models'],
  plan: ['gembench plan -c configs/quickstart.yaml'],
  query: ["gembench query 'Who built the mill?' -m bm25 --prompt"],
  graph: ['gembench graph -c configs/quickstart.yaml -m gem-rag -o graph.html', 'gembench graph --text notes.txt'],
  train: [
    'gembench train -c gor.yaml',
    'gembench train -c gor.yaml --set train.contrastive=false -o without-contrastive.json',
  ],
  reproduce: ['gembench reproduce', 'gembench reproduce unweaver-table-1 --offline'],
  table: [
    'gembench table quickstart-1a2b3c4d --format latex',
    'gembench table base-1a2b3c4d new-5e6f7a8b',
    'gembench table quickstart-1a2b3c4d --columns accuracy,headroom',
    'gembench table quickstart-1a2b3c4d --format trec -o trec',
  ],
  report: [
    'gembench report quickstart-1a2b3c4d',
    'gembench report base-1a2b3c4d new-5e6f7a8b -o compared.html --no-texts',
  ],
  show: ['gembench show quickstart-1a2b3c4d q17 --full', 'gembench show quickstart-1a2b3c4d --failures'],
  diff: [
    'gembench diff results/base-1a2b3c4d results/new-5e6f7a8b --fail-if worse',
    'gembench diff quickstart-1a2b3c4d#vector quickstart-1a2b3c4d#raptor --metric qasper-f1.answerF1',
  ],
  power: ['gembench power quickstart-1a2b3c4d --difference .03'],
  score: ['gembench score quickstart-1a2b3c4d'],
  publish: ['gembench publish quickstart-1a2b3c4d results/published/quickstart'],
  verify: ['gembench verify results/published/quickstart'],
  'judge sample': ['gembench judge sample quickstart-1a2b3c4d --scorer factual-correctness -o labels.csv'],
  'judge check': ['gembench judge check quickstart-1a2b3c4d labels.csv'],
  ls: ['gembench ls methods', 'gembench ls datasets'],
  check: ['gembench check ./mine.ts', 'gembench check ./notes --use files --set questions=questions.csv'],
  'data get': ['gembench data get ragbench'],
}

/** Adds examples to the help of every command that does something. */
function addExamples(program: Command): void {
  for (const [name, lines] of Object.entries(examples)) {
    const command = name.split(' ').reduce((sofar: Command | undefined, part) => childNamed(sofar, part), program)
    command?.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}

const childNamed = (command: Command | undefined, name: string): Command | undefined =>
  command?.commands.find((child) => child.name() === name)
