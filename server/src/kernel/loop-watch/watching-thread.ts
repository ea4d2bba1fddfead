/**
 * Watches the server's thread from another one. While that thread gives no sign, it is asked through the inspector, inside
 * of what blocks it, what it works for. No port is opened, and the inspector is attached for that question only.
 */
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { parseOwn } from '../json/parse-own.ts'
import type { Block, WatchData } from './loop-watch.ts'

const { beats, beatMs, checksToBlock, questionName } = workerData as WatchData
const beat = new Int32Array(beats)

let seen = -1
let idle = 0
let since = 0
let answer: Promise<string | undefined> | undefined

const ask = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const session = new Session()
    session.connectToMainThread()
    session.post('Runtime.evaluate', { expression: `globalThis[${JSON.stringify(questionName)}]?.()` }, (_, reply) => {
      session.disconnect()
      resolve(reply?.result.value as string | undefined)
    })
  })

const tell = async (found: Promise<string | undefined>, ms: number): Promise<void> => {
  const asked = parseOwn((await found) ?? '{"what":"unknown","owner":null,"stack":[]}') as Omit<Block, 'ms'>
  const block: Block = { ...asked, ms }
  parentPort?.postMessage(block)
}

setInterval(() => {
  const now = Atomics.load(beat, 0)
  if (now !== seen) {
    if (answer) void tell(answer, Math.round(performance.now() - since))
    answer = undefined
    ;[seen, idle, since] = [now, 0, performance.now()]
    return
  }
  idle += 1
  if (idle >= checksToBlock) answer ??= ask()
}, beatMs)
