/**
 * A server that is killed while its children work: prints the pids of a spinning and of an idle child, once they and
 * another program run. Its arguments are that program's folder and what it sleeps.
 */
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createChildren } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import type { tasks } from './hostile.worker.ts'
import { oneTenant } from './one-tenant.ts'

const log = createLog('error')
const children = oneTenant(createChildren({ log, metrics: createMetrics(log) }))
const script = new URL('./hostile.worker.ts', import.meta.url)
const busy = children.declare<typeof tasks>({ name: 'busy', script })
const idle = children.declare<typeof tasks>({ name: 'idle', script })

const idlePid = await children.run(idle, 'pid', undefined as never)
await new Promise<void>((resolve) => {
  void children.run(busy, 'stubborn', null, { onProgress: () => resolve() })
})
const [folder = '', seconds] = process.argv.slice(2)
const args = ['-c', `: > started; sleep ${seconds}; :`]
void children.runProgram({ file: '/bin/sh', args, tenant: 'ana', folder, memoryMb: 256, fileMb: 1, wallMs: 600_000 })
while (!existsSync(`${folder}/started`)) await delay(20)
const spinning = children.state().find(({ worker }) => worker === 'busy')?.pids[0]
process.stdout.write(`${JSON.stringify([spinning, idlePid])}\n`)
