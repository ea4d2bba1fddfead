import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isRunning, processesNaming } from '../../process/running.ts'

/** The program sleeps for this number of seconds; no other process does. */
const seconds = String(31_000_000 + process.pid)

const areRunning = async (pids: readonly number[]): Promise<boolean[]> => [
  ...(await Promise.all(pids.map((pid) => isRunning(pid, 'hostile.worker.ts')))),
  (await processesNaming(`sleep ${seconds}`)).length > 0,
]

it.runIf(process.platform === 'linux')(
  'children and programs end when their parent is killed, also one that never listens',
  async () => {
    const path = fileURLToPath(new URL('./parent.ts', import.meta.url))
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const parent = spawn(process.execPath, [path, folder, seconds], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pids = JSON.parse(line.toString()) as number[]
    expect(await areRunning(pids)).toEqual([true, true, true])
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await expect.poll(() => areRunning(pids)).toEqual([false, false, false])
    rmSync(folder, { recursive: true })
  },
)
