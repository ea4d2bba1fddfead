/** One machine with a supervisor and two servers, and what happens to them. Linux. */
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenNaming, isRunning } from '../../server/test/process/running.ts'
import type { ChaosNode } from '../node.ts'
import { listFamily } from '../processes.ts'

export const serverCount = 2
const patienceMs = 240_000
const lookEveryMs = 50

const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const untilMs = performance.now() + patienceMs
  while (!(await isTrue())) {
    if (performance.now() > untilMs) throw new Error(`waited in vain for ${what}`)
    await sleep(lookEveryMs)
  }
}

export const createMachine = (node: ChaosNode) => {
  const supervisor = (): number => node.pid() ?? 0
  const servers = () => childrenNaming(supervisor(), 'serve.ts')
  const untilOthers = (before: readonly number[]): Promise<void> =>
    until('other servers', async () => {
      const now = await servers()
      return now.length === serverCount && !now.some((pid) => before.includes(pid))
    })
  const one = async (): Promise<number> => {
    const [pid] = await servers()
    if (pid === undefined) throw new Error('no server is running')
    return pid
  }
  /** Does this to one server, and waits for another in its place. */
  const lose = async (signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> => {
    const pid = await one()
    process.kill(pid, signal)
    await untilOthers([pid])
  }
  return {
    ready: () => until('both servers', async () => (await servers()).length === serverCount),
    /** Resolves when every server is another one. */
    roll: async (): Promise<void> => {
      const before = await servers()
      process.kill(supervisor(), 'SIGHUP')
      await untilOthers(before)
    },
    freezeOne: async (): Promise<void> => void process.kill(await one(), 'SIGSTOP'),
    loseOne: lose,
    /** Kills the supervisor alone. Resolves when it answers again, with those of its processes that are still there. */
    killSupervisor: async (): Promise<string[]> => {
      const [, ...family] = listFamily(supervisor())
      await node.disturb({ kind: 'kill', forMs: 100, skewMs: 0 }, AbortSignal.timeout(patienceMs))
      await node.ready()
      const left: string[] = []
      for (const { pid } of family) if (await isRunning(pid, 'serve.ts')) left.push(`server ${pid}`)
      return left
    },
  }
}
