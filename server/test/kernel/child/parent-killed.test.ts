import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** A process that has ended but was not waited for yet is a zombie: it runs no more. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

it.runIf(process.platform === 'linux')(
  'children end when their parent is killed, also one that never listens',
  async () => {
    const path = fileURLToPath(new URL('./parent.ts', import.meta.url))
    const parent = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pids = JSON.parse(line.toString()) as number[]
    expect(pids.map(isRunning)).toEqual([true, true])
    parent.kill('SIGKILL')
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false])
  },
)
