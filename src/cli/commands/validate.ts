import { percent } from '../../report/render/percent.ts'
import { plural } from '../../report/render/plural.ts'
import { prepare, unreadChunks, type UnreadChunks } from '../../run/index.ts'
import { planOf, settingsOf } from '../plan.ts'
import { print, printJson, printNotice } from '../print.ts'
import { plain } from '../terminal-grid.ts'
import type { RunFlags } from './run.ts'

/** `gembench validate`: reads the config and the dataset and opens the models, but asks nothing and writes no results. */
export async function validateCommand(flags: RunFlags): Promise<void> {
  const plan = await planOf(flags)
  const prepared = await prepare(plan, settingsOf({ ...flags, cache: false }, new AbortController().signal))
  const { survey, methods, hash, dataset } = prepared
  const unread = await unreadChunks(prepared).finally(() => prepared.close())
  const trials = survey.questions * methods.length * plan.repeats
  if (flags.json) printJson({ hash, trials, ...(unread && { unread }), config: plan.record })
  else {
    print(
      `valid: ${plan.name}-${hash}: ${plural(methods.length, 'method')} x ${plural(survey.questions, 'question')}${plan.repeats > 1 ? ` x ${plan.repeats} repeats` : ''} = ${plural(trials, 'trial')}`,
    )
    const { corpora, documents, questions, leftOut } = survey
    const left = Object.entries(leftOut).map(([what, count]) => `${what} ${count}`)
    print(
      plain(
        `${dataset.name}: ${plural(documents, 'document')}${corpora > 1 ? ` in ${corpora} corpora` : ''}, ${plural(questions, 'question')}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`,
      ),
    )
  }
  if (unread) printNotice(`note: ${plain(noteOn(unread))}`)
}

/** What the embedder does not read, in one line. */
function noteOn({ methods, embedder, readsTokens, ...counted }: UnreadChunks): string {
  const { chunks, cutChunks, tokens, unreadTokens, estimated } = counted
  const longer = `${cutChunks} of ${plural(chunks, 'chunk')} ${cutChunks === 1 ? 'is' : 'are'} longer`
  const counter = estimated ? "; counts by the run's tokenizer, estimates" : ''
  return (
    `${embedder} reads ${plural(readsTokens, 'token')} of a text, and ${longer}: ${percent(unreadTokens / tokens)} of the tokens of all chunks ` +
    `will not be embedded (${methods.join(', ')}${counter}); to embed everything, set "chunks" so that no chunk is longer`
  )
}
