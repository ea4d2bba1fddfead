/** One server process with a network of its own to the database, and what can be done to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgresProxy } from '../server/test/peers/postgres-proxy.ts'
import type { Disturbance } from './plan.ts'

export interface ChaosNode {
  /** Undefined while it is starting or dead. */
  address(): string | undefined
  pid(): number | undefined
  /** Does it, waits, and undoes it. Undone earlier when the signal aborts. */
  disturb(disturbance: Pick<Disturbance, 'kind' | 'forMs' | 'skewMs'>, signal: AbortSignal): Promise<void>
  /** Asks it to stop (SIGTERM). Resolves with how it ended; then it starts again. */
  restart(): Promise<number | NodeJS.Signals>
  /** Resolves once it answers. */
  ready(): Promise<string>
  stop(): Promise<void>
}

interface Options {
  databaseUrl: string
  skewMs: number
  env: Record<string, string>
  /** Gets everything that the process prints. */
  onOutput(text: string): void
}

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const restartMs = 500

export const startNode = async ({ databaseUrl, skewMs, env, onOutput }: Options): Promise<ChaosNode> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-chaos-'))
  const wire = await startPostgresProxy(databaseUrl)
  let skew = skewMs
  let isStopped = false
  let child: ChildProcess | undefined
  let address: string | undefined

  const launch = (): ChildProcess => {
    const args = ['--import', path('./wrong-clock.ts'), path('../server/src/main.ts')]
    const launched = spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'warn',
        SVC_PROCESSES: '1',
        SVC_DATA_DIR: dataDir,
        DATABASE_URL: wire.url,
        CHAOS_SKEW_MS: String(skew),
        ...env,
      },
    })
    for (const stream of [launched.stdout, launched.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        onOutput(text)
        if (launched === child) address ??= /ready at (http:\/\/\S+)/.exec(text)?.[1]
      })
    return launched
  }
  /** A node that ends, killed or because the database could not be reached, is started again, as by a supervisor. */
  const keepRunning = async (): Promise<void> => {
    while (!isStopped) {
      child = launch()
      await once(child, 'exit')
      address = undefined
      await sleep(restartMs)
    }
  }
  const running = keepRunning()

  const actions: Record<Disturbance['kind'], { start(): void; end(): void }> = {
    freeze: { start: () => void child?.kill('SIGSTOP'), end: () => void child?.kill('SIGCONT') },
    kill: { start: () => void child?.kill('SIGKILL'), end: () => undefined },
    silence: { start: wire.hold, end: wire.mend },
    abandon: { start: () => wire.abandon(), end: () => undefined },
    cut: { start: wire.cut, end: wire.mend },
  }
  const ready = async (): Promise<string> => {
    while (address === undefined) await sleep(50)
    return address
  }
  return {
    address: () => address,
    pid: () => child?.pid,
    ready,
    restart: async () => {
      const ended = child && once(child, 'exit')
      child?.kill('SIGTERM')
      const [code, signal] = (await ended) ?? []
      return signal ?? code ?? 0
    },
    disturb: async ({ kind, forMs, skewMs: nextSkewMs }, signal) => {
      if (kind === 'kill') skew = nextSkewMs
      actions[kind].start()
      await sleep(forMs, undefined, { signal }).catch(() => undefined)
      actions[kind].end()
    },
    stop: async () => {
      isStopped = true
      child?.kill('SIGCONT')
      child?.kill('SIGKILL')
      await running
      await wire.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
