/** The program of a computing thread: it loads the module of a computation when it is first asked for it. */
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { bytesLeft } from './size-of.ts'
import { type Answer, type Order, phases } from './thread-protocol.ts'

type Compute = (input: unknown) => unknown

const load = async (href: string): Promise<Compute> => {
  const { compute } = (await import(href)) as { compute?: Compute }
  if (!compute) throw new Error(`${href} exports no \`compute\`.`)
  return compute
}

const work = async ({ href, input, maxOutputBytes, phase }: Order): Promise<Answer> => {
  try {
    const compute = await load(href)
    Atomics.store(new Int32Array(phase), 0, phases.computing)
    const value = await compute(input)
    return bytesLeft(value, maxOutputBytes) < 0 ? { end: 'too large' } : { end: 'done', value }
  } catch (problem) {
    const { name, message, code } = problem as { name?: unknown; message?: unknown; code?: unknown }
    return { end: 'failed', name: String(name), message: String(message), ...(typeof code === 'string' && { code }) }
  }
}

let isFlushed = false

parentPort?.on('message', async (order: Order) => {
  parentPort?.postMessage(await work(order))
  // A thread is ended from outside, which would leave nothing in the cache for the next one.
  if (!isFlushed) flushCompileCache()
  isFlushed = true
})
