/** Starts the real server process on a temporary data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer } from './child.ts'
import { processorMs, residentMb } from './process-facts.ts'

export const ownRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The flags `npm start` uses, so that what is measured is what runs. */
const startFlags = (root: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.replace(/^exec node /, '').split(' ')
}

export interface BenchServer extends Peer {
  pid: number
}

/** `root` may be another checkout: the build before. */
export const startServer = async (env: Record<string, string> = {}, root = ownRoot): Promise<BenchServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chancery-bench-'))
  const child = spawn(process.execPath, startFlags(root), {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      SVC_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      SVC_PROCESSES: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const ready = /ready at (http:\/\/\S+)/.exec(printed)?.[1]
      if (ready) resolve(ready)
    })
    child.once('exit', () => reject(new Error(`the server did not start:\n${printed}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    processorMs: () => processorMs(child.pid ?? 0),
    residentMb: () => residentMb(child.pid ?? 0),
    stop: async () => {
      child.removeAllListeners('exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
