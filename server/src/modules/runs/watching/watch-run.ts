/** Streams a run to a viewer: read from the tables each time a change is signalled, until the run has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WriteBody } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import { findRunHead } from '../queries/runs.ts'
import type { RunsContext } from '../shared/context.ts'
import { getRun } from '../shared/get-run.ts'
import { followSteps } from './follow-steps.ts'
import { presentRun, presentStep } from './present-run.ts'

/** A viewer gets updates at most this often, and polls in case a notification was lost. */
const pauseMs = 100
const pollMs = 2000
const pingMs = 15_000

/** Throws before the first byte; then sends frames `run` and `step`, complete as in the API, until the run has ended. */
export const watchRun = async (
  context: Pick<RunsContext, 'kernel' | 'graphs' | 'notifier'>,
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
    let hasChanged = false
    const unfollow = context.notifier.follow(runId, () => {
      hasChanged = true
      wakeUp()
    })
    outlet.onClose(() => wakeUp())

    const send = (event: string, json: string): void => void outlet.write(formatSse({ event, data: json }))
    /** Returns whether the run has ended. The run is read before its steps, so that its last steps are never missed. */
    const sendChanges = async (): Promise<boolean> => {
      hasChanged = false
      const run = await findRunHead(db, actor, runId)
      if (!run) return true
      // Steps carry offsets from the start of their run, so they change when it starts.
      if (run.startedAt?.getTime() !== startedAt) steps.forget()
      startedAt = run.startedAt?.getTime()
      for await (const batch of steps.changed()) {
        for (const step of batch) send('step', JSON.stringify(presentStep(step, { pinned, run })))
        await outlet.drained()
        if (!outlet.isOpen) return true
      }
      const json = JSON.stringify(await presentRun(db, run))
      if (json !== sentRun) send('run', json)
      sentRun = json
      return terminalRunStatuses.includes(run.status)
    }
    let pingAt = performance.now() + pingMs
    try {
      while (outlet.isOpen && !(await sendChanges())) {
        await outlet.drained()
        await sleep(pauseMs)
        if (!hasChanged && outlet.isOpen) await wokenOrTimeout((resolve) => (wakeUp = resolve))
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

const wokenOrTimeout = async (listen: (wakeUp: () => void) => void): Promise<void> => {
  const over = new AbortController()
  const woken = new Promise<void>((resolve) => listen(resolve))
  await Promise.race([woken, sleep(pollMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
