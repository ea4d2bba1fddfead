/** A real Redis on a free port of this machine, without persistence, gone with `stop()`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'
import { freeze, thaw } from './freeze.ts'

interface RedisPeer {
  url: string
  /** Freezes and thaws the process: connected, but answering nothing. */
  freeze(): Promise<void>
  thaw(): void
  stop(): Promise<void>
}

const waitUntilReady = async (child: ChildProcess): Promise<void> => {
  if (!child.stdout) throw new Error('redis-server has no output')
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('Ready to accept connections')) return
  }
  throw new Error(`redis-server did not start: ${output}`)
}

export const startRedis = async (port?: number): Promise<RedisPeer> => {
  const chosen = port ?? (await freePort())
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp']
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await waitUntilReady(child)
  return {
    url: `redis://127.0.0.1:${chosen}`,
    freeze: () => freeze(child),
    thaw: () => thaw(child),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
