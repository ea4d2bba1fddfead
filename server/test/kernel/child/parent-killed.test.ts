import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** A process that has ended but was not waited for yet is a zombie: it runs no more. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

/** What the program sleeps; no other process does. */
const seconds = String(31_000_000 + process.pid)
const isSleeping = () =>
  readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`sleep ${seconds}`)
    } catch {
      return false
    }
  })

it.runIf(process.platform === 'linux')(
  'children and programs end when their parent is killed, also one that never listens',
  async () => {
    const path = fileURLToPath(new URL('./parent.ts', import.meta.url))
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const parent = spawn(process.execPath, [path, folder, seconds], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pids = JSON.parse(line.toString()) as number[]
    expect([...pids.map(isRunning), isSleeping()]).toEqual([true, true, true])
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await expect.poll(() => [...pids.map(isRunning), isSleeping()]).toEqual([false, false, false])
    rmSync(folder, { recursive: true })
  },
)
