/** A run as it goes, for somebody who looks on: from the tables, each time somebody says that there is something new. */
import { setTimeout as sleep } from 'node:timers/promises'
import { terminalRunStatuses } from '@chancery/contract/workflow-runs.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WriteBody } from '#kernel/http/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { EngineContext } from './context.ts'
import { followSteps } from './follow-steps.ts'
import { getRun } from './get-run.ts'
import { presentRun, presentStep } from './present-run.ts'
import { findRunHead } from './queries/runs.ts'

/** However much happens, a viewer is served so often at most; and looks by itself, should a word have got lost. */
const restMs = 100
const lookMs = 2000
const pingMs = 15_000

/** Throws before the first byte; then frames `run` and `step`, whole as in the API, until the run has ended. */
export const watchRun = async (
  context: Pick<EngineContext, 'kernel' | 'graphs' | 'changes'>,
  actor: Actor,
  { runId, http }: { runId: string; http: Pick<HttpCall, 'signal' | 'isStillAuthorized'> },
): Promise<WriteBody> => {
  const { db } = context.kernel
  const pinned = await context.graphs.find(await getRun(db, actor, runId))
  return async (outlet) => {
    const steps = followSteps(db, runId)
    let sentRun: string | undefined
    let startedAt: number | undefined
    let wakeUp: () => void = () => undefined
    let hasNews = false
    const unfollow = context.changes.follow(runId, () => {
      hasNews = true
      wakeUp()
    })
    outlet.onClose(() => wakeUp())

    const send = (event: string, json: string): void => void outlet.write(formatSse({ event, data: json }))
    /** Answers whether the run has ended. The run is read first: what was finished with it is then in the steps. */
    const look = async (): Promise<boolean> => {
      hasNews = false
      const run = await findRunHead(db, actor, runId)
      if (!run) return true
      // Where steps lie in time is told from the start of their run.
      if (run.startedAt?.getTime() !== startedAt) steps.forget()
      startedAt = run.startedAt?.getTime()
      for await (const batch of steps.changed()) {
        for (const step of batch) send('step', JSON.stringify(presentStep(step, { pinned, run })))
        await outlet.drained()
        if (!outlet.isOpen) return true
      }
      const json = JSON.stringify(presentRun(run))
      if (json !== sentRun) send('run', json)
      sentRun = json
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
        if (!(await http.isStillAuthorized())) return
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
