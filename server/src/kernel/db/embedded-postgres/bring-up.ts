/** From files on disk to a server that answers: clears what an earlier one left, launches, waits, provisions. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#kernel/log.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { askServer } from './connection.ts'
import { explainFailure } from './failure.ts'
import { clearLeftOvers } from './left-overs.ts'
import type { Server } from './server.ts'

export interface BringUp {
  dataDir: string
  clusterDir: string
  url: string
  log: Log
  launch(): Promise<Server>
  provision(): Promise<void>
}

/** A server that an earlier Chancery launched just before it was killed may take the lock file before ours does. */
const attempts = 3
const pollMs = 10
const silenceLimitMs = 60_000
const remindEveryMs = 10_000

export const bringUp = async (plan: BringUp, signal: AbortSignal): Promise<Server> => {
  for (let attempt = 1; ; attempt++) {
    await clearLeftOvers(plan.clusterDir, plan.log)
    const server = await plan.launch()
    try {
      if (await becomesReady(plan, server, signal)) return server
    } catch (error) {
      await server.stop()
      throw error
    }
    const output = await server.output()
    const isLockTaken = /lock file .* already exists/.test(output)
    if (!isLockTaken || attempt === attempts) throw explainFailure({ output, dataDir: plan.dataDir })
  }
}

/** False when it ended instead. Replaying its log after a crash may take minutes: as long as it says so, we wait. */
const becomesReady = async (plan: BringUp, server: Server, signal: AbortSignal): Promise<boolean> => {
  let isProvisioned = false
  let silentMs = 0
  for (let waitedMs = 0; !server.hasExited(); waitedMs += pollMs) {
    signal.throwIfAborted()
    const answer = await askServer(plan.url)
    if (answer === 'ready') return true
    if (answer === 'not provisioned') {
      if (isProvisioned) throw new StartError('PostgreSQL refuses the role that was just made for Chancery.')
      await plan.provision().catch(refusedProvision)
      isProvisioned = true
      continue
    }
    silentMs = answer === 'silent' ? silentMs + pollMs : 0
    if (silentMs > silenceLimitMs) throw new StartError('PostgreSQL was started but does not answer on its socket.')
    if (waitedMs > 0 && waitedMs % remindEveryMs === 0) plan.log.info('PostgreSQL is recovering; still waiting for it')
    await Promise.race([server.exited, delay(pollMs)])
  }
  return false
}

const refusedProvision = (error: unknown): never => {
  const reason = error instanceof Error ? error.message : String(error)
  throw new StartError(`PostgreSQL refused to make the role and database of Chancery: ${reason}.`, { cause: error })
}
