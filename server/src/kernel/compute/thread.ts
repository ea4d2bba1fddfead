/** One computing thread: given one order at a time, and ended when that takes too long or too much memory. */
import { Worker } from 'node:worker_threads'
import { threadEnv } from '../process/thread-env.ts'
import { type Answer, type Order, phases } from './thread-protocol.ts'

export type Ending = Answer | { end: 'deadline' | 'memory' | 'crash' }

export interface Thread {
  run(order: Omit<Order, 'phase'>, deadlineMs: number): Promise<Ending>
  /** False after an ending that left nothing to use. */
  isAlive(): boolean
  /** Resolves when the thread is gone. */
  end(): Promise<void>
}

const startMs = 60_000
/** Checks are counted, not milliseconds: a machine that stood still is not taken for an endless computation. */
const checks = 20

export const startThread = (name: string, memoryMb: number): Thread => {
  const worker = new Worker(new URL('./thread-program.ts', import.meta.url), {
    name,
    env: threadEnv(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  worker.unref()
  let isAlive = true
  // Heard at any time: one without a listener would end the server.
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    isAlive = false
  })
  const end = async (): Promise<void> => {
    isAlive = false
    await worker.terminate()
  }

  const run: Thread['run'] = (order, deadlineMs) =>
    new Promise((resolve) => {
      const phase = new SharedArrayBuffer(4)
      // First: it throws where the input can't be sent.
      worker.postMessage({ ...order, phase })
      const finish = (ending: Ending): void => {
        clearInterval(timer)
        worker.off('message', finish).off('error', onError).off('exit', onExit)
        resolve(ending)
      }
      const onError = ({ code }: Error & { code?: string }): void => {
        isAlive = false
        finish({ end: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash' })
      }
      const onExit = (): void => finish({ end: 'crash' })
      let [left, loadingLeft] = [checks, Math.ceil((checks * startMs) / deadlineMs)]
      const timer = setInterval(() => {
        if (Atomics.load(new Int32Array(phase), 0) === phases.computing) left -= 1
        else loadingLeft -= 1
        if (left < 0 || loadingLeft < 0) finish({ end: 'deadline' })
      }, deadlineMs / checks)
      worker.on('message', finish).on('error', onError).on('exit', onExit)
    })

  return { run, isAlive: () => isAlive, end }
}
