import type { ModelRole } from '../../basics/roles.ts'
import type { ModelRecord } from '../../records.ts'
import type { AnyTask } from '../../types.ts'
import type { CallOptions } from '../provider.ts'
import { abilityOf, selectModel, type ModelRequest } from '../open-models.ts'
import { benchOf, no, type Finding, type Options, type TryCosts, type TryContext } from './bench.ts'
import { costsOfCompletions, tryCompletions } from './try-completions.ts'
import { costsOfEmbeddings, costsOfReranking, tryEmbeddings, tryReranking } from './try-texts.ts'

/** A model of a config, in the roles in which it is asked the same. */
export interface WantedTry {
  readonly roles: readonly ModelRole[]
  readonly request: ModelRequest
  /** What it is going to be asked to complete. */
  readonly tasks: readonly AnyTask[]
  /** Tokens of the longest prompt that is tried, and of the longest text that is embedded. */
  readonly longest: { readonly prompt: number; readonly text: number }
}

interface NamedModel extends Pick<ModelRecord, 'provider' | 'model' | 'baseUrl'> {
  readonly roles: readonly ModelRole[]
}

/** What a model can do. */
export interface TriedModel extends NamedModel {
  readonly findings: readonly Finding[]
  /** Options that the config should have instead. */
  readonly change: Options
  /** Options that it should not have. */
  readonly remove: readonly string[]
  readonly spent: TryCosts
  readonly seconds: number
}

/** A model that is opened and not asked yet. */
export interface OpenedTry extends NamedModel {
  /** The most that the try asks for, besides what the server refuses. */
  readonly costs: TryCosts
  readonly price: CallOptions['price']
  /** Tries the model; `tell` gets every finding as it is made. */
  run(tell: (finding: Finding) => void): Promise<TriedModel>
}

const unanswered: Finding = no('the rest', 'not tried, since the server did not answer any more')

/** Opens a model to try it. Throws UserError where it cannot be opened. */
export async function openTry({ roles, request, tasks, longest }: WantedTry, context: TryContext): Promise<OpenedTry> {
  const [role = 'complete'] = roles
  const { kind, options } = await selectModel(role, request)
  const bench = benchOf(kind, options as Options, context)
  const { model, baseUrl } = await bench.open()
  const names = { roles, provider: kind.name, model, ...(baseUrl !== undefined && { baseUrl }) }
  const wanted = { tasks, longest: longest.prompt }
  const { costs, tries } = {
    complete: { costs: () => costsOfCompletions(bench, wanted), tries: () => tryCompletions(bench, wanted) },
    embed: { costs: () => costsOfEmbeddings(bench, longest.text), tries: () => tryEmbeddings(bench, longest.text) },
    rerank: { costs: () => costsOfReranking(bench, longest.text), tries: () => tryReranking(bench, longest.text) },
  }[abilityOf(role)]
  return {
    ...names,
    price: (options as CallOptions).price,
    costs: await costs(),
    async run(tell) {
      const started = performance.now()
      const findings: Finding[] = []
      const add = (finding: Finding): void => {
        findings.push(finding)
        tell(finding)
      }
      try {
        for await (const finding of tries()) add(finding)
        if (bench.isLost()) add(unanswered)
      } finally {
        await bench.close()
      }
      const seconds = (performance.now() - started) / 1000
      const changed = Object.entries(bench.changed())
      const change = Object.fromEntries(changed.filter(([, value]) => value !== undefined))
      const remove = changed.flatMap(([name, value]) => (value === undefined ? [name] : []))
      return { ...names, findings, change, remove, spent: bench.spent(), seconds }
    },
  }
}
