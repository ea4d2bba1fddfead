import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sweepOfficeFolders } from './office-file.ts'

it('leaves no folder of a server that was killed while it converted a file', async () => {
  const { pid: dead } = spawnSync('true')
  const [left, used] = [dead, process.pid].map((pid) => mkdtempSync(join(tmpdir(), `chancery-office-${pid}-`)))
  await sweepOfficeFolders()
  expect([left, used].map((folder) => existsSync(folder ?? ''))).toEqual([false, true])
  rmSync(used ?? '', { recursive: true })
})
