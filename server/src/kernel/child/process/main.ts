/**
 * The program of every child: takes one task after the other from the pipe to its parent (descriptor 3) and ends when
 * that pipe ends, which also happens when the parent is killed. Started with the worker's script and its settings.
 */
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { encodeMessage, encodeSignal, type Frame, kinds, pieceBytes, readFrames } from '../frames.ts'
import type { TaskTable } from '../worker.ts'
import { lockDown } from './lock-down.ts'
import { createTask, type RunningTask, type Send } from './task.ts'

interface Settings {
  network: boolean
  messageBytes: number
  addon?: string
}

const [, , script = '', settingsText = '{}'] = process.argv
const settings = JSON.parse(settingsText) as Settings
/** Several pieces of a file may wait for the parent: with room for one, each piece waits for it to be scheduled. */
const pipeOptions = { fd: 3, readable: true, writable: true, writableHighWaterMark: 16 * pieceBytes }
const pipe = new Socket(pipeOptions)
pipe.on('error', () => process.exit(1))

/** Resolves when there is room for more. */
const send: Send = (frame) =>
  new Promise((resolve) => {
    if (pipe.write(frame)) resolve()
    else pipe.once('drain', resolve)
  })

// Stays in the cache of `require`, so that the script gets it although it can load no native code itself.
if (settings.addon !== undefined) createRequire(import.meta.url)(settings.addon)
lockDown({ network: settings.network })
const { tasks } = (await import(pathToFileURL(script).href)) as { tasks: TaskTable }

let current: RunningTask | undefined

const describe = (problem: unknown) => {
  const { name, message } = problem instanceof Error ? problem : new Error(String(problem))
  const { code } = (problem ?? {}) as { code?: unknown }
  return { name, message: message.slice(0, 2_000), ...(typeof code === 'string' && { code }) }
}

const encodeResult = (result: unknown): Buffer => {
  const frame = encodeMessage(kinds.done, result)
  if (frame.byteLength <= settings.messageBytes) return frame
  return encodeMessage(kinds.failed, { name: 'RangeError', message: 'The result is larger than a message may be.' })
}

const work = async (name: string, input: unknown, task: RunningTask): Promise<void> => {
  const handler = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  let last: Buffer
  try {
    if (!handler) throw new TypeError(`This worker has no task ${name}.`)
    last = encodeResult(await handler(input as never, task.context))
  } catch (problem) {
    last = encodeMessage(kinds.failed, describe(problem))
  }
  current = undefined
  await send(last)
}

const read = ({ payload }: Frame): unknown => JSON.parse(payload.toString())

const handle = (frame: Frame): void => {
  if (frame.kind === kinds.start) {
    const { name, input } = read(frame) as { name: string; input: unknown }
    current = createTask(send)
    void work(name, input, current)
    return
  }
  // Frames for a task that has ended already are of no use to the next.
  if (frame.kind === kinds.answer) current?.answer(read(frame))
  else if (frame.kind === kinds.body) current?.body.push(frame.payload)
  else if (frame.kind === kinds.bodyEnd) current?.body.end()
  else if (frame.kind === kinds.cancel) current?.cancel()
}

await send(encodeSignal(kinds.ready))
for await (const frame of readFrames(pipe, settings.messageBytes)) handle(frame)
process.exit(0)
