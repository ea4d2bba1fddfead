/**
 * One plugin host, from the server's side: lines go in, lines come out, and a host that stops answering is killed. It
 * knows whose line was being handled when that happened.
 */
import type { Children, Worker } from '#kernel/child/index.ts'
import { createLineReader, cutLine } from './lines.ts'
import type { tasks } from './plugins.worker.ts'
import type { SandboxLimits } from './sandbox.ts'

export type HostWorker = Worker<typeof tasks>

export interface HostProcess {
  /** Returns the number of the line. */
  send(plugin: number, word: 'load' | 'say' | 'unload', text: string): number
  /** The lines handled so far. */
  handled(): number
  stop(): void
}

interface Options {
  children: Pick<Children, 'run'>
  worker: HostWorker
  limits: SandboxLimits
  /** The host is killed when one line takes longer. */
  stuckMs: number
  onMessage(plugin: number, text: string): void
  /** Once. `culprit` is the plugin whose line was being handled, if there was one. */
  onEnd(end: { culprit: number | undefined; isStuck: boolean }): void
}

const checkEveryMs = 250
/** The host lives for as long as it is needed; what it may use is counted for each plugin instead. */
const unlimited = { wallMs: 2 ** 31 - 1, cpuMs: Infinity, messages: Infinity, outputBytes: Infinity }

export const startHostProcess = ({ children, worker, limits, stuckMs, onMessage, onEnd }: Options): HostProcess => {
  const stopping = new AbortController()
  const outgoing = createOutgoing()
  const waiting: { plugin: number; sinceMs: number }[] = []
  let sent = 0
  let handled = 0
  let isStuck = false

  const read = createLineReader((line) => {
    const { number: plugin, word, rest } = cutLine(line)
    const now = performance.now()
    for (; handled < Number(word); handled += 1) waiting.shift()
    const [head] = waiting
    if (head) head.sinceMs = now
    if (plugin !== 0) onMessage(plugin, rest)
  })
  const check = (): void => {
    const [head] = waiting
    // Until the first line is handled the process may still be starting.
    if (!head || handled === 0 || performance.now() - head.sinceMs < stuckMs) return
    isStuck = true
    stopping.abort()
  }
  const checking = setInterval(check, checkEveryMs).unref()
  const end = (): void => {
    clearInterval(checking)
    outgoing.end()
    onEnd({ culprit: waiting[0]?.plugin, isStuck })
  }
  const send: HostProcess['send'] = (plugin, word, text) => {
    sent += 1
    waiting.push({ plugin, sinceMs: performance.now() })
    outgoing.push(`${plugin} ${word} ${text}\n`)
    return sent
  }
  children
    .run(
      worker,
      'host',
      { limits },
      {
        tenant: 'hosts',
        signal: stopping.signal,
        body: outgoing.pieces(),
        onBytes: read,
        limits: unlimited,
      },
    )
    .then(end, end)
  // Anything: it tells that the process has started.
  send(0, 'unload', '')
  return { send, handled: () => handled, stop: () => stopping.abort() }
}

/** Lines for the process; those that wait are sent together. */
const createOutgoing = () => {
  let lines: string[] = []
  let hasEnded = false
  let wake = () => {}
  return {
    push: (line: string) => {
      lines.push(line)
      wake()
    },
    end: () => {
      hasEnded = true
      wake()
    },
    async *pieces(): AsyncGenerator<Uint8Array> {
      while (!hasEnded) {
        if (lines.length > 0) {
          const text = lines.join('')
          lines = []
          yield Buffer.from(text)
        } else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
