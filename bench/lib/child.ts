/** Runs a peer of a benchmark in a separate process. The script prints its address as its first line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { processorMs, residentMb } from './process-facts.ts'

export interface Peer {
  url: string
  processorMs(): number
  residentMb(): number
  stop(): Promise<void>
}

export const startPeer = async (script: string, args: readonly string[] = []): Promise<Peer> => {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  return {
    url: String(line).trim(),
    processorMs: () => processorMs(pid),
    residentMb: () => residentMb(pid),
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}
