/** A run as it goes, for somebody who looks on: from the tables, each time somebody says that there is something new. */
import { setTimeout as sleep } from 'node:timers/promises'
import { terminalRunStatuses } from '@chancery/contract/workflow-runs.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Pour } from '#kernel/http/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { EngineContext } from './context.ts'
import { getRun } from './get-run.ts'
import { presentRun, presentStep } from './present-run.ts'
import { findRunHead, listSteps } from './queries/runs.ts'

/** However much happens, a viewer is served so often at most; and looks by itself, should a word have got lost. */
const restMs = 100
const lookMs = 2000
const pingMs = 15_000

/** Throws before the first byte; then frames `run` and `step`, whole as in the API, until the run has ended. */
export const watchRun = async (
  context: Pick<EngineContext, 'kernel' | 'graphs' | 'changes'>,
  actor: Actor,
  { runId, http }: { runId: string; http: Pick<HttpCall, 'signal' | 'isStillAdmitted'> },
): Promise<Pour> => {
  const { db } = context.kernel
  const pinned = await context.graphs.find(await getRun(db, actor, runId))
  return async (outlet) => {
    const sent = new Map<string, string>()
    let wakeUp: () => void = () => undefined
    let hasNews = false
    const unfollow = context.changes.follow(runId, () => {
      hasNews = true
      wakeUp()
    })
    outlet.onClose(() => wakeUp())

    const send = (event: string, id: string, data: unknown): void => {
      const json = JSON.stringify(data)
      if (sent.get(id) === json) return
      sent.set(id, json)
      outlet.write(formatSse({ event, data: json }))
    }
    /** Answers whether the run has ended. The run is read first: what was finished with it is then in the steps. */
    const look = async (): Promise<boolean> => {
      hasNews = false
      const run = await findRunHead(db, actor, runId)
      if (!run) return true
      for (const step of await listSteps(db, [runId])) send('step', step.id, presentStep(step, { pinned, run }))
      send('run', run.id, presentRun(run))
      return terminalRunStatuses.includes(run.status)
    }
    let pingAt = performance.now() + pingMs
    try {
      while (outlet.isOpen && !(await look())) {
        await outlet.drained()
        await sleep(restMs)
        if (!hasNews && outlet.isOpen) await soon((resolve) => (wakeUp = resolve))
        if (performance.now() < pingAt) continue
        pingAt = performance.now() + pingMs
        outlet.write(': ping\n\n')
        if (!(await http.isStillAdmitted())) return
      }
    } finally {
      unfollow()
    }
  }
}

const soon = async (listen: (wakeUp: () => void) => void): Promise<void> => {
  const over = new AbortController()
  const woken = new Promise<void>((resolve) => listen(resolve))
  await Promise.race([woken, sleep(lookMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
