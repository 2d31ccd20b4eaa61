import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { once } from '../../../basics/memoise.ts'
import { PlugInError, UserError } from '../../../errors.ts'
import { isSupervised, reportsFd } from '../../calls/supervision.ts'
import { shownPath } from '../import-plug-in.ts'
import type { Failure, FileKind, Work } from './messages.ts'
import { plugInCommand } from './started-plug-in.ts'

/** Seconds that a plug-in may take to be loaded, and a function of it that returns at once. */
const seconds = 60

/**
 * Has something done by a process of the plug-in in a file, and waits for it as for a function of ours. Throws
 * UserError and PlugInError as the plug-in does, and PlugInError where it takes too long.
 */
export function askAndWait(file: string, kind: FileKind, work: Work): unknown {
  const { port, signal } = thread()
  const number = ++asked
  port.postMessage({ number, file, kind, work, name: shownPath(file) })
  const said = replyTo(number, port, signal) ?? { error: { message: 'the process cannot be asked' } }
  if (!('error' in said)) return said.value
  const { message, mend } = said.error
  throw mend ? new UserError(message) : new PlugInError(message)
}

let asked = 0

type Reply = { readonly value?: unknown } | { readonly error: Failure }

/** The reply of that number, past late signals and replies of others; undefined where none comes in time. */
function replyTo(number: number, port: MessagePort, signal: Int32Array): Reply | undefined {
  const end = performance.now() + (seconds + 5) * 1000
  for (;;) {
    const replies = Atomics.load(signal, 0)
    const next = receiveMessageOnPort(port) as { readonly message: { number: number; reply: Reply } } | undefined
    if (next?.message.number === number) return next.message.reply
    if (next) continue
    if (performance.now() >= end) return undefined
    Atomics.wait(signal, 0, replies, end - performance.now())
  }
}

const thread = once((): { readonly port: MessagePort; readonly signal: Int32Array } => {
  const { port1: port, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const reports = isSupervised ? reportsFd : undefined
  const workerData = { port: port2, signal, command: plugInCommand, seconds, reports }
  const worker = new Worker(code, { eval: true, workerData, transferList: [port2], execArgv: [] })
  worker.unref()
  port.unref()
  return { port, signal }
})

const code = `
const { workerData: { port, signal, command: [program, ...args], seconds, reports } } = require('node:worker_threads')
const { spawn } = require('node:child_process')
const { writeSync } = require('node:fs')
const children = new Map()
function start(file, kind, name) {
  const child = spawn(program, args, { stdio: ['ignore', 2, 'ignore', 'ipc', 'ignore'], serialization: 'advanced' })
  const report = (lives) => { if (reports !== undefined && child.pid) try { writeSync(reports, JSON.stringify({ group: child.pid, lives, name }) + '\\n') } catch {} }
  report(true)
  const one = { child, id: 0, waiting: undefined, timer: undefined, load: undefined }
  const end = (message) => {
    children.delete(file + kind)
    child.kill('SIGKILL')
    one.waiting?.({ error: { message } })
  }
  one.ask = (work) => new Promise((resolve) => {
    const id = ++one.id
    const late = setTimeout(() => end(work.op === 'load' ? 'it did not load within ' + seconds + ' s' : (work.name ?? work.op) + '() did not end within ' + seconds + ' s'), seconds * 1000)
    one.waiting = (reply) => { clearTimeout(late); one.waiting = undefined; resolve(reply) }
    child.send({ ...work, id }, (error) => error && end('it cannot be asked: ' + error.message))
  })
  child.on('message', (said) => { if (said.id === one.id && said.id !== undefined) one.waiting?.(said) })
  child.on('error', ({ message }) => end('the process cannot be started: ' + message))
  child.on('exit', () => report(false))
  child.on('exit', (code, signal) => end('the process ended ' + (signal === null ? 'with exit code ' + code : 'by ' + signal)))
  one.rest = () => { clearTimeout(one.timer); one.timer = setTimeout(() => { children.delete(file + kind); child.kill('SIGKILL') }, 5000) }
  one.load = one.ask({ op: 'load', file, kind })
  children.set(file + kind, one)
  return one
}
port.on('message', async ({ number, file, kind, work, name }) => {
  const one = children.get(file + kind) ?? start(file, kind, name)
  clearTimeout(one.timer)
  const loaded = await one.load
  const reply = work.op === 'load' || loaded.error ? loaded : await one.ask(work)
  one.rest()
  try { port.postMessage({ number, reply }) } catch (error) { port.postMessage({ number, reply: { error: { message: error.message } } }) }
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
})
process.on('exit', () => { for (const { child } of children.values()) child.kill('SIGKILL') })
`
