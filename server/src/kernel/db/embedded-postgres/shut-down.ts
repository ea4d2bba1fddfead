/** Stops a PostgreSQL: first by closing its connections (fast shutdown), then without a checkpoint, then by force. */
import { setTimeout as delay } from 'node:timers/promises'

interface Target {
  send(signal: NodeJS.Signals): void
  hasEnded(): boolean | Promise<boolean>
}

const steps: [NodeJS.Signals, patienceMs: number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]
const lookEveryMs = 10

export const shutDown = async ({ send, hasEnded }: Target): Promise<void> => {
  for (const [signal, patienceMs] of steps) {
    if (await hasEnded()) return
    send(signal)
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
      if (await hasEnded()) return
      await delay(lookEveryMs)
    }
  }
}
