import { openLanguage } from '../models/providers/extractive/language.ts'
import { repliesOf } from '../models/providers/extractive/extractive.ts'

/** The replies of the provider `extractive` by the name of a task; the length of a summary is counted in characters. */
export async function extractiveReplies(): Promise<(task: string, input: unknown) => string> {
  const replies = repliesOf(await openLanguage(), (text) => text.length)
  return (task, input) => {
    const reply = replies.get(task)
    if (!reply) throw new Error(`extractive has no reply to ${task}`)
    return reply(input)
  }
}
