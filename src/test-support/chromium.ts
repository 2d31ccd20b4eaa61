import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/**
 * A page in a real browser, driven through the pipe of the Chrome DevTools Protocol; nothing has to be installed beside
 * the browser.
 */
export interface Tab {
  /** The JSON value of an expression, promises awaited. */
  evaluate(expression: string): Promise<unknown>
  press(x: number, y: number): Promise<void>
  hover(x: number, y: number): Promise<void>
  /** Text goes where the focus is; a key is named as in KeyboardEvent.key. */
  type(text: string): Promise<void>
  key(name: string): Promise<void>
  /** A PNG of what is seen. */
  screenshot(): Promise<Buffer>
  /** Addresses asked for; errors and what the page's policy refused. */
  readonly requests: readonly string[]
  readonly complaints: readonly string[]
  close(): Promise<void>
}

export interface Window {
  readonly width: number
  readonly height: number
  readonly phone?: boolean
  readonly dark?: boolean
}

/** The browser that GEMBENCH_CHROMIUM names, or one on the path; undefined where there is none. */
export function chromium(): string | undefined {
  const path = process.env['GEMBENCH_CHROMIUM']
  if (path !== undefined) return path
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** Opens an address in a browser of its own, with an empty profile. */
export async function openTab(browser: string, address: string, window: Window): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'gembench-chromium-'))
  const child = spawn(browser, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const pipe = protocol(child.stdio[3] as Writable, child.stdio[4] as Readable)
  child.on('error', pipe.fail)
  const send = await attach(pipe)
  const messages = listen(pipe)
  await Promise.all(['Network', 'Runtime', 'Log', 'Page'].map((domain) => send(`${domain}.enable`)))
  await emulate(send, window)
  const pageLoad = pipe.once('Page.loadEventFired')
  await send('Page.navigate', { url: address })
  await pageLoad
  return {
    ...hands(send),
    ...messages,
    async close() {
      await pipe.send('Browser.close')
      await exit
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

type Send = (method: string, parameters?: Message) => Promise<Message>

/** Calls to the page that the browser began with. */
async function attach(pipe: Pipe): Promise<Send> {
  const { targetInfos } = await pipe.send('Target.getTargets')
  const page = (targetInfos as { targetId: string; type: string }[]).find(({ type }) => type === 'page')
  const { sessionId } = await pipe.send('Target.attachToTarget', { targetId: page?.targetId, flatten: true })
  return (method, parameters = {}) => pipe.send(method, parameters, String(sessionId))
}

function listen(pipe: Pipe): Pick<Tab, 'requests' | 'complaints'> {
  const requests: string[] = []
  const complaints: string[] = []
  pipe.listen((method, event) => {
    if (method === 'Network.requestWillBeSent') requests.push((event['request'] as { url: string }).url)
    const level = (event['entry'] as { readonly level?: string } | undefined)?.level
    if (method === 'Runtime.exceptionThrown' || level === 'error') complaints.push(JSON.stringify(event))
  })
  return { requests, complaints }
}

async function emulate(send: Send, { width, height, phone = false, dark = false }: Window): Promise<void> {
  const deviceScaleFactor = phone ? 2 : 1
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: phone })
  const scheme = { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }
  await send('Emulation.setEmulatedMedia', { features: [scheme, { name: 'prefers-reduced-motion', value: 'reduce' }] })
}

function hands(send: Send): Omit<Tab, 'requests' | 'complaints' | 'close'> {
  const mouse = (type: string, x: number, y: number, button = 'none'): Promise<Message> =>
    send('Input.dispatchMouseEvent', { type, x, y, button, clickCount: button === 'none' ? 0 : 1 })
  return {
    async evaluate(expression) {
      const reply = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      if (reply['exceptionDetails']) throw new Error(JSON.stringify(reply['exceptionDetails']))
      return (reply['result'] as { value?: unknown }).value
    },
    async press(x, y) {
      await mouse('mouseMoved', x, y)
      await mouse('mousePressed', x, y, 'left')
      await mouse('mouseReleased', x, y, 'left')
    },
    async hover(x, y) {
      await mouse('mouseMoved', x, y)
    },
    async type(text) {
      await send('Input.insertText', { text })
    },
    async key(name) {
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key: name })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key: name })
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png' })
      return Buffer.from(String(data), 'base64')
    },
  }
}

const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

type Message = Readonly<Record<string, unknown>>

type Pipe = ReturnType<typeof protocol>

/** Messages are JSON, each ended by a NUL; a reply bears the number of its call. */
function protocol(input: Writable, output: Readable) {
  const waiting = new Map<number, { resolve: (result: Message) => void; reject: (error: Error) => void }>()
  const listeners: ((method: string, event: Message) => void)[] = []
  let last = 0
  let rest = ''
  const fail = (error: Error): void => waiting.forEach(({ reject }) => reject(error))
  const take = (text: string): void => {
    const message = JSON.parse(text) as {
      id?: number
      method?: string
      params?: Message
      result?: Message
      error?: Message
    }
    if (message.id === undefined) listeners.forEach((listen) => listen(message.method ?? '', message.params ?? {}))
    else if (message.error) waiting.get(message.id)?.reject(new Error(JSON.stringify(message.error)))
    else waiting.get(message.id)?.resolve(message.result ?? {})
  }
  output.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (rest + piece).split('\0')
    rest = messages.pop() ?? ''
    messages.forEach(take)
  })
  output.on('close', () => fail(new Error('the browser has ended')))
  input.on('error', fail)
  return {
    fail,
    listen: (listener: (method: string, event: Message) => void) => void listeners.push(listener),
    once: (eventName: string) =>
      new Promise<void>((resolve) => listeners.push((method) => (method === eventName ? resolve() : undefined))),
    send: (method: string, params: Message = {}, sessionId?: string) =>
      new Promise<Message>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        input.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`)
      }),
  }
}
