/** Runs of workflows: step by step, so that nothing is lost and nothing finished is done twice. The module's public interface. */
import './queries/tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'
import { toolsOfRuns } from './agents/tools-of-runs.ts'
import { heldKind } from './claiming/recover-lost.ts'
import { createScheduler } from './claiming/scheduler.ts'
import { createFamilyEnder } from './ending/end-families.ts'
import { endRunsOfWorkflow } from './ending/end-runs.ts'
import { runRetentionJob } from './ending/retention.ts'
import { createExecutors } from './nodes/index.ts'
import { nudgeRunsUnscoped, type RunRow } from './queries/claims.ts'
import { expireLeasesUnscoped, releaseHeldUnscoped } from './queries/lost-runs.ts'
import { runsAtOnceQuota, runsQuota } from './quotas.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { replayRoutes } from './routes/replays.ts'
import { runRoutes } from './routes/runs.ts'
import type { RunsContext, RunsNeeds } from './shared/context.ts'
import { buildRun, insertNewRuns } from './shared/create-runs.ts'
import { createGraphs } from './shared/graphs.ts'
import { createHooks, type RunHooks } from './shared/hooks.ts'
import type { CreatedRun, NewRun } from './shared/new-run.ts'
import { createRunNotifier } from './shared/run-notifier.ts'
import { type StartRequest, startRun } from './starting/start-run.ts'
import { createStarter } from './starting/start-runs.ts'
import { startTest, type TestStart } from './starting/start-test.ts'
import { createGroupWriter } from './stepping/group-writer.ts'
import { createRunAnnouncer } from './watching/announce-runs.ts'
import { registerRunMetrics } from './watching/metrics.ts'
import { runHoursJob } from './watching/run-stats.ts'
import { type EndedRun, type WaitOptions, waitForEnd } from './watching/wait-for-end.ts'

export { workflowToolsId } from './agents/tools-of-runs.ts'
export { isTransientStatus, NodeFailure } from './core/backoff.ts'
export { findRunProgressUnscoped, type LastRun, listLastRunsUnscoped } from './queries/activity.ts'
export { deleteRunsUnscoped, moveRunsUnscoped } from './queries/ownership.ts'
export { claimErrorsUnscoped, type FailedRun, listUnhandledUnscoped, triggeredFailures } from './queries/run-errors.ts'
export { findFoldedUnscoped, foldHoursUnscoped } from './queries/run-hours.ts'
export { chainThrough } from './shared/cause.ts'
export type { CredentialUse, Definitions, SignedRequest } from './shared/definitions.ts'
export { getRun } from './shared/get-run.ts'
export type { CreatedRun, LiveVersion, NewRun } from './shared/new-run.ts'
export { provenAddresses } from './shared/proven-addresses.ts'
export type { Signatures, TemplateNames } from './shared/signatures.ts'
export { storableText } from './shared/storable-json.ts'
export { findOpenScopes, isScopeOpen } from './starting/open-scopes.ts'
export { sampleState } from './starting/start-run.ts'
export { presentRun } from './watching/present-run.ts'

export interface Runs extends Module {
  /** Inserts runs in the caller's transaction; they exist exactly when it commits. Call `wake` afterwards. */
  createRuns(tx: Db, runs: readonly NewRun[]): Promise<CreatedRun[]>
  /** Starts a published workflow by hand. */
  startRun(actor: Actor, request: StartRequest): Promise<RunRow>
  /** Inserts a run that tries a draft. Call `wake` after the commit. */
  startTest(tx: Db, test: TestStart): Promise<RunRow>
  /** Claims due runs now instead of at the next tick. */
  wake(): void
  /** Undefined when the run hasn't ended in time. */
  waitForEnd(runId: string, options: WaitOptions): Promise<EndedRun | undefined>
  /** Cancels what is under way, in the transaction of whatever stops the workflow. */
  endRunsOfWorkflow(tx: Db, workflowId: string, why: string): Promise<void>
  onTransition: RunHooks['onTransition']
}

export const createRuns = (needs: RunsNeeds): Runs => {
  const { kernel, bus, signatures } = needs
  const { config, db, clock, tasks } = kernel
  const wakeHere = (): void => {
    announcer.created()
    scheduler.wake()
  }
  const wake = (): void => (config.SVC_ROLE === 'api' ? context.notifier.wakeOthers() : wakeHere())
  const begin = (run: RunRow): void => {
    if (run.leaseNode === null) wake()
    else {
      announcer.created()
      scheduler.resume({ run, steps: [] })
    }
  }
  for (const quota of [runsQuota, runsAtOnceQuota]) kernel.quotas.declare(quota)
  const stopping = new AbortController()
  const families = createFamilyEnder(() => context, stopping.signal)
  const context = createContext(needs, {
    wake,
    begin,
    endFamilies: families.wake,
    hold: (run) => scheduler.hold(run),
    letGo: (id) => scheduler.letGo(id),
  })
  kernel.heldBack.register(heldKind, {
    release: async (tx, id) => {
      await releaseHeldUnscoped(tx, { id, now: clock.now() })
    },
  })
  registerRunMetrics(kernel, context.hooks)
  signatures.onEnd(async (tx, runId) => {
    await nudgeRunsUnscoped(tx, [runId], clock.now())
    await context.notifier.nudgeOnCommit(tx, [runId])
  })
  const announcer = createRunAnnouncer(context)
  const stepping = { ...context, save: createGroupWriter(context) }
  const scheduler = createScheduler(stepping, createExecutors(context))
  const starter = createStarter(context, { ...scheduler, wake: wakeHere })
  bus.registerRunStarter(starter)
  bus.registerListener(starter.listen)
  return {
    wake,
    createRuns: (tx, runs) =>
      insertNewRuns(
        tx,
        runs.map((run) => buildRun(kernel, run)),
      ),
    startRun: (actor, request) => startRun(context, actor, request),
    startTest: (tx, test) => startTest(context, tx, test),
    waitForEnd: (runId, options) => waitForEnd(context, runId, options),
    endRunsOfWorkflow: (tx, workflowId, why) => endRunsOfWorkflow(context, tx, { workflowId, why }),
    onTransition: context.hooks.onTransition,
    routes: [...runRoutes(context), ...replayRoutes(context), ...approvalRoutes(context)],
    jobs: [runRetentionJob(kernel, needs), runHoursJob(needs)],
    start: (signal) =>
      tasks.run('workflows.start', async () => {
        // With an embedded database this is the only process: the holders of all leases are gone.
        if (config.DATABASE_URL === undefined) await expireLeasesUnscoped(db)
        if (!signal.aborted) scheduler.start(signal)
      }),
    stop: async () => {
      stopping.abort()
      await scheduler.stop()
    },
  }
}

const createContext = (
  needs: RunsNeeds,
  starting: Pick<RunsContext, 'wake' | 'hold' | 'letGo' | 'begin' | 'endFamilies'>,
): RunsContext => {
  const { kernel, definitions, tools } = needs
  const nodeId = kernel.ids.next()
  return {
    ...needs,
    ...starting,
    nodeId,
    tools: toolsOfRuns(tools),
    notifier: createRunNotifier(kernel),
    hooks: createHooks(),
    graphs: createGraphs(kernel.db, definitions),
    catalogs: new Map(),
  }
}
