/** The engine: runs workflows step by step so that nothing is lost and nothing finished is done twice. */
import type { Db } from '#kernel/db/database.ts'
import type { Route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { EventListener, RunStarter } from '#modules/event-bus/index.ts'
import type { Engine } from '../engine-face.ts'
import { approvalRoutes } from '../routes/approvals.ts'
import { replayRoutes } from '../routes/replays.ts'
import { runRoutes } from '../routes/runs.ts'
import { createRunAnnouncer } from './announce-runs.ts'
import type { EngineContext, EngineNeeds } from './context.ts'
import { buildRun, insertNewRuns } from './create-runs.ts'
import { endRunsIn } from './end-runs.ts'
import { failureMailJob } from './failure-mails.ts'
import { createGraphs } from './graphs.ts'
import { createHooks, type EngineHooks } from './hooks.ts'
import { registerRunMetrics } from './metrics.ts'
import { createExecutors } from './nodes/index.ts'
import { nudgeRunsUnscoped, type RunRow } from './queries/claims.ts'
import { measureRunsUnscoped, type RunMeasures } from './queries/measure-runs.ts'
import { listActiveOfWorkflowUnscoped } from './queries/runs.ts'
import { runRetentionJob } from './retention.ts'
import { createRunNotifier } from './run-notifier.ts'
import { runHoursJob } from './run-stats.ts'
import { createScheduler } from './scheduler.ts'
import { watchFailures } from './start-error-runs.ts'
import { createStarter } from './start-runs.ts'
import { createRunStore } from './store.ts'
import { waitForEnd } from './wait-for-end.ts'
import { toolsOfRuns, workflowTools } from './workflow-tools.ts'

export type { EngineNeeds } from './context.ts'
export type { RunTransition, TransitionListener } from './hooks.ts'
export type { RunMeasures } from './queries/measure-runs.ts'

export interface RunningEngine extends Engine {
  routes: readonly Route[]
  jobs: readonly JobDefinition[]
  /** Fill the ports of the event bus. */
  starter: RunStarter
  listen: EventListener
  onTransition: EngineHooks['onTransition']
  /** Counts runs in the database. For metrics: one query over indexes, not for every request. */
  measureRuns(): Promise<RunMeasures>
  /** Called in the transaction that deletes a workflow. */
  onDelete(tx: Db, workflowId: string): Promise<void>
  /** Cancels what is under way, for this reason. */
  endRuns(tx: Db, workflowId: string, why: string): Promise<void>
  start(signal: AbortSignal): void
  stop(): Promise<void>
}

export const createEngine = (needs: EngineNeeds): RunningEngine => {
  const { kernel } = needs
  const { config, db, clock, tasks } = kernel
  const wakeHere = (): void => {
    announcer.created()
    scheduler.wake()
  }
  const wake = (): void => (config.SVC_ROLE === 'api' ? context.notifier.wakeWorkers() : wakeHere())
  const holder = (): string | undefined => {
    const { free, nodeId } = scheduler.capacity()
    return free > 0 ? nodeId : undefined
  }
  const begin = (run: RunRow): void => {
    if (run.leaseNode === null) wake()
    else {
      announcer.created()
      scheduler.resume({ run, steps: [] })
    }
  }
  const context = createContext({ ...needs, tools: toolsOfRuns(needs.tools) }, { wake, holder, begin })
  needs.tools.registerSource(workflowTools(context))
  registerRunMetrics(kernel, context.hooks)
  needs.signatures.onEnd(async (tx, runId) => {
    await nudgeRunsUnscoped(tx, [runId], clock.now())
    await context.notifier.nudgeOnCommit(tx, [runId])
  })
  const announcer = createRunAnnouncer(context)
  const scheduler = createScheduler(context, createExecutors(context))
  const starter = createStarter(context, { ...scheduler, wake: wakeHere })
  return {
    starter,
    wake,
    listen: starter.listen,
    onTransition: context.hooks.onTransition,
    measureRuns: () => measureRunsUnscoped(db, clock.now()),
    createRuns: (tx, runs) =>
      insertNewRuns(
        tx,
        runs.map((run) => buildRun(kernel, run)),
      ),
    waitForEnd: (runId, options) => waitForEnd(context, runId, options),
    onDelete: (tx, workflowId) => endRunsOfWorkflow(context, tx, { workflowId, why: 'The workflow has been deleted.' }),
    endRuns: (tx, workflowId, why) => endRunsOfWorkflow(context, tx, { workflowId, why }),
    routes: [...runRoutes(context), ...replayRoutes(context), ...approvalRoutes(context)],
    jobs: [runRetentionJob(kernel, needs), failureMailJob(kernel), runHoursJob(kernel)],
    start: (signal) =>
      tasks.run('workflows.start', async () => {
        // With an embedded database this is the only process: the holders of all leases are gone.
        if (config.DATABASE_URL === undefined) await context.store.expireLeases()
        if (signal.aborted) return
        scheduler.start(signal)
        if (config.SVC_ROLE !== 'api') watchFailures(context, signal)
      }),
    stop: scheduler.stop,
  }
}

const createContext = (
  needs: EngineNeeds,
  starting: Pick<EngineContext, 'wake' | 'holder' | 'begin'>,
): EngineContext => {
  const { kernel, bus } = needs
  const nodeId = kernel.ids.next()
  const notifier = createRunNotifier(kernel, nodeId)
  const hooks = createHooks()
  const store = createRunStore({ kernel, bus, notifier, hooks, nodeId, wake: starting.wake })
  return { ...needs, ...starting, notifier, hooks, store, graphs: createGraphs(kernel), catalogs: new Map() }
}

const endRunsOfWorkflow = async (
  context: EngineContext,
  tx: Db,
  { workflowId, why }: { workflowId: string; why: string },
): Promise<void> => {
  const ids = await listActiveOfWorkflowUnscoped(tx, workflowId)
  const reason = { status: 'cancelled', error: why } as const
  const ended = await endRunsIn(context, tx, { ids, reason })
  const endedIds = ended.map(({ id }) => id)
  await context.notifier.nudgeOnCommit(tx, endedIds)
}
