import { isObject } from '../../basics/plain-data.ts'
import { jsonIn } from '../../text/json.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { Message } from '../../types.ts'
import type { CompletionRequest } from '../provider.ts'
import { promptTokensOf } from '../calls/complete-with-repair.ts'
import { but, changeAfter, no, reasonOf, shown, yes, type Bench, type Finding, type Options } from './bench.ts'

/** What one call took. */
export interface Speed {
  readonly prompt: number
  readonly completion: number
  readonly seconds: number
}

/** Gives a request the room for its reply. */
export type Sized = (request: CompletionRequest) => CompletionRequest

/** Tries what is asked of every language model. Returns the room that tasks need; undefined without an answer. */
export async function* tryGeneral(
  bench: Bench,
  longest: number,
  speeds: Speed[],
): AsyncGenerator<Finding, Sized | undefined> {
  const { findings, thinks } = await firstCall(bench)
  yield* findings
  if (thinks === undefined) return undefined
  const short: Sized = (request) => ({ ...request, more: thinks ? roomToThink : shortReply })
  const steps = [
    () => trySampling(bench, short),
    () => trySystem(bench, short),
    () => trySchema(bench, short),
    () => tryLongPrompt(bench, longest, short, speeds),
  ]
  for (const step of steps) if (!bench.isLost()) yield* await step()
  return ({ more = 0, ...request }) => ({ ...request, more: thinks ? Math.max(more, roomToThink) : more })
}

/** Tokens of a short reply. */
const shortReply = 48
/** The least `maxTokens` of a model that thinks before its reply. */
const usualThought = 4096
/** Tokens that a model may take in a try that thinks before its reply. */
export const roomToThink = 1024

/** A request that is no task. */
const plainRequest = (
  what: string,
  messages: readonly Message[],
  more: Partial<CompletionRequest> = {},
): CompletionRequest => ({
  ...{ task: `try ${what}`, version: 1, input: null, reply: 'text', sample: 0, prompt: { messages } },
  ...more,
})

const brief: Message = { role: 'system', content: 'You are brief.' }
const asks = (content: string): Message => ({ role: 'user', content })

const firstRequest = plainRequest('first', [brief, asks('Reply with: OK')])

const drawn = (temperature: number | undefined, variant: number): CompletionRequest => {
  const request = plainRequest('sampling', [
    brief,
    asks('Write one sentence about something that you see in a harbour.'),
  ])
  return temperature === undefined
    ? request
    : { ...request, prompt: { ...request.prompt, sampling: { temperature, variant } } }
}

const codeWord = 'kestrel'
const systemRequest = plainRequest('system', [
  { role: 'system', content: `Whatever you are asked, reply with the one word ${codeWord}.` },
  asks('What is the capital of France?'),
])

const colours = ['red', 'blue']
const schemaRequest = plainRequest('schema', [brief, asks('Name a fruit. Reply with JSON.')], {
  reply: 'json',
  schema: {
    type: 'object',
    properties: { colour: { type: 'string', enum: colours } },
    required: ['colour'],
    additionalProperties: false,
  },
})

const [firstWord, lastWord] = ['cormorant', codeWord]

/** A prompt of about so many tokens, with a word to be found at its beginning and one at its end. */
function longRequest(tokens: number, tokenizer: Tokenizer): CompletionRequest {
  const note = (day: number): string =>
    `On day ${day} the ferry took ${(day * 37) % 91} people and ${(day * 53) % 47} sheep to the island.`
  const notes = Math.max(1, Math.round(tokens / tokenizer.count(note(100))))
  const text = Array.from({ length: notes }, (_, day) => note(day + 1)).join('\n')
  return plainRequest('long', [
    { role: 'system', content: 'You answer questions about notes.' },
    asks(
      `The first code word is ${firstWord}.\n${text}\nThe last code word is ${lastWord}.\n\nWhich two code words do these notes name? Reply with both words.`,
    ),
  ])
}

/** What is asked of every language model. */
export const generalRequests = (longest: number, tokenizer: Tokenizer): readonly CompletionRequest[] => [
  firstRequest,
  ...[drawn(undefined, 0), drawn(undefined, 0), drawn(1, 0), drawn(1, 0), drawn(1, 1)],
  ...[systemRequest, schemaRequest, longRequest(longest, tokenizer)],
]

/** Options that are found out, in the form that is asked for first, so that a refusal is seen. */
const explicit: Options = { tokensField: 'max_tokens', systemRole: 'keep' }

/** The first call, and the options with which the server takes it; `thinks` is absent where it is not answered. */
async function firstCall(bench: Bench): Promise<{ findings: readonly Finding[]; thinks?: boolean }> {
  const options = bench.options()
  const found = Object.fromEntries(Object.entries(explicit).filter(([name]) => options[name] === 'auto'))
  const refused: Finding[] = []
  let others: Options = found
  for (;;) {
    const made = await bench.complete({ ...firstRequest, more: shortReply }, others)
    if ('value' in made) {
      const used = { ...options, ...others }
      const { text, finish } = made.value
      const thinks = finish === 'length' && withoutReasoning(text) === ''
      if (thinks) giveRoom(bench)
      return { findings: [...refused, taken(used), ...(thinks ? [thinking] : [])], thinks }
    }
    const change = changeAfter(made.error)
    const [name = ''] = Object.keys(change ?? {})
    const before = { ...options, ...others }[name]
    if (!change || before === undefined || before === change[name])
      return { findings: [...refused, no('first call', reasonOf(made.error))] }
    const isFound = name in found
    refused.push({
      what: name,
      works: isFound ? 'but' : 'no',
      said: `${shown(before)} is refused (${made.error.message})${isFound ? '; a run finds that out' : ''}`,
    })
    others = { ...others, ...change }
    bench.change(change)
  }
}

/** Sets `maxTokens` to what a model that thinks first needs, and says whether it was less. */
export function giveRoom(bench: Bench): boolean {
  const { maxTokens } = bench.options()
  const isSmall = maxTokens === undefined || Number(maxTokens) < usualThought
  if (isSmall) bench.change({ maxTokens: usualThought })
  return isSmall
}

function taken({ tokensField, temperature, seed }: Options): Finding {
  const fields = [
    tokensField !== undefined && (tokensField === 'none' ? 'no limit of the reply' : shown(tokensField)),
    temperature === null ? 'no temperature' : `temperature ${shown(temperature)}`,
    seed === null ? 'no seed' : seed !== undefined && `seed ${shown(seed)}`,
  ].filter((field) => field !== false)
  return yes('first call', `answered; taken: ${fields.join(', ')}`)
}

const thinking: Finding = but(
  'thinking',
  `no word of a reply within ${shortReply} tokens: a model that thinks first needs maxTokens of ${usualThought} or more`,
)

/** Whether equal calls bring equal replies, and whether the seed is followed. */
async function trySampling(bench: Bench, sized: Sized): Promise<readonly Finding[]> {
  const { temperature, seed } = bench.options()
  const heated = temperature === null ? 'without a temperature' : `at temperature ${shown(temperature)}`
  const texts = async (...requests: readonly CompletionRequest[]): Promise<readonly string[] | Finding> => {
    const said: string[] = []
    for (const request of requests) {
      const made = await bench.complete(sized(request))
      if ('error' in made) return no('equal calls', reasonOf(made.error))
      said.push(made.value.text)
    }
    return said
  }
  const twice = await texts(drawn(undefined, 0), drawn(undefined, 0))
  if ('works' in twice) return [twice]
  const areEqual = twice[0] === twice[1]
  const repeats: Finding = areEqual
    ? yes('equal calls', `the same reply twice ${heated}`)
    : but('equal calls', `two replies ${heated} differ: a run without its cache gives other answers`)
  if (seed === undefined || seed === null) return [repeats]
  const seeded = await texts(drawn(1, 0), drawn(1, 0), drawn(1, 1))
  if ('works' in seeded) return [repeats, { ...seeded, what: 'seed' }]
  const [own, again, other] = seeded
  const heat = temperature === null ? 'the temperature of the server' : 'temperature 1'
  const followed: Finding =
    own !== again
      ? but('seed', `not followed: equal seeds at ${heat} gave different replies`)
      : own === other
        ? but('seed', `no effect seen: replies at ${heat} are alike whatever the seed`)
        : yes('seed', `followed: at ${heat} the same seed repeats a reply, another does not`)
  return [repeats, followed]
}

/** Whether what stands in a system message is followed. */
async function trySystem(bench: Bench, sized: Sized): Promise<readonly Finding[]> {
  const made = await bench.complete(sized(systemRequest))
  if ('error' in made) return [no('system message', reasonOf(made.error))]
  const isFollowed = made.value.text.toLowerCase().includes(codeWord)
  const isMerged = made.value.fallbacks?.includes('system') || bench.options()['systemRole'] === 'merge'
  const how = isMerged ? 'at the beginning of the first message of the user' : 'taken'
  return [
    isFollowed
      ? { what: 'system message', works: isMerged ? 'but' : 'yes', said: `${how}, and followed` }
      : but('system message', `${how}, but not followed: the model is weak, or the server leaves it out`),
  ]
}

/** Whether a reply is held to a schema of which the prompt says nothing. */
async function trySchema(bench: Bench, sized: Sized): Promise<readonly Finding[]> {
  const { structured } = bench.options()
  if (structured === 'none') return []
  const isFound = structured === 'auto'
  const made = await bench.complete(sized(schemaRequest), isFound ? { structured: 'schema' } : {})
  if ('value' in made) return [formOfReply(made.value.text, structured === 'json' ? 'JSON mode' : 'schema')]
  if (!isFound || !changeAfter(made.error)) return [no('schema', reasonOf(made.error))]
  const plain = await bench.complete(sized(schemaRequest), { structured: 'json' })
  const other = 'value' in plain && objectIn(plain.value.text) ? 'json' : 'none'
  bench.change({ structured: other })
  const instead = other === 'json' ? 'JSON mode works' : 'the prompt alone asks for JSON'
  return [but('schema', `refused (${made.error.message}); ${instead}`)]
}

function formOfReply(text: string, what: 'schema' | 'JSON mode'): Finding {
  const read = objectIn(text)
  const isHeld = what === 'schema' ? colours.includes(String(read?.['colour'])) : read !== undefined
  return isHeld
    ? yes(what, 'replies are held to it')
    : but(what, 'taken, but replies are not held to it: the prompt alone asks for JSON')
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonIn(withoutReasoning(text))
  return isObject(value) ? value : undefined
}

/** Below this share of our own count a prompt was cut: of English prose, tokenizers differ by less. */
const leastShare = 0.75

/** Whether a long prompt is read to its end, by the server's own count and by the words at its ends. */
async function tryLongPrompt(
  bench: Bench,
  longest: number,
  sized: Sized,
  speeds: Speed[],
): Promise<readonly Finding[]> {
  const request = longRequest(longest, bench.tokenizer)
  const tokens = promptTokensOf(request, bench.tokenizer)
  const finding = (works: Finding['works'], said: string): readonly Finding[] => [
    { what: 'long prompt', works, said: `of about ${tokens} tokens: ${said}` },
  ]
  const made = await bench.complete(sized(request))
  if ('error' in made) return finding('no', `${reasonOf(made.error)}; set a smaller budget`)
  const { text, promptTokens, cachedTokens = 0 } = made.value
  speeds.push({ prompt: promptTokens ?? tokens, completion: 0, seconds: made.seconds })
  const [first, last] = [firstWord, lastWord].map((word) => text.toLowerCase().includes(word))
  const words = `the model names ${first && last ? 'the words at both ends' : first ? 'only the word at its beginning' : last ? 'only the word at its end' : 'neither of the words at its ends'}`
  if (promptTokens === undefined)
    return finding(first && last ? 'yes' : 'but', `the server does not count what it reads; ${words}`)
  // most servers count kept tokens in the prompt, some beside it
  const isShort = promptTokens < leastShare * tokens
  const read = isShort ? promptTokens + cachedTokens : promptTokens
  return read < leastShare * tokens
    ? finding(
        'no',
        `the server read ${read} of them (${words}): give it a longer context (num_ctx of Ollama, --ctx-size of llama.cpp), or set a smaller budget`,
      )
    : finding('yes', `read to its end, by the server's count of ${read} (${words})`)
}
