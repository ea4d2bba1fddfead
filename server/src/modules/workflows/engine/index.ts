/** The engine: runs workflows step by step so that nothing is lost and nothing is done twice. Its face to the module. */

import type { Db } from '#kernel/db/database.ts'
import type { Route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { EventListener, RunStarter } from '#modules/event-bus/index.ts'
import type { Engine } from '../engine-face.ts'
import { approvalRoutes } from '../routes/approvals.ts'
import { runRoutes } from '../routes/runs.ts'
import { createChanges } from './changes.ts'
import type { EngineContext, EngineNeeds } from './context.ts'
import { draftRun, insertDrafts } from './create-runs.ts'
import { endRunsIn } from './end-runs.ts'
import { createGraphs } from './graphs.ts'
import { createGroupWriter } from './group-writer.ts'
import { countRuns } from './metrics.ts'
import { createExecutors } from './nodes/index.ts'
import { expireLeasesUnscoped } from './queries/claims.ts'
import { listActiveOfWorkflowUnscoped } from './queries/runs.ts'
import { runRetentionJob } from './retention.ts'
import { createStarter } from './start-runs.ts'
import { createWork } from './work.ts'

export type { EngineNeeds } from './context.ts'

export interface RunningEngine extends Engine {
  routes: readonly Route[]
  jobs: readonly JobDefinition[]
  /** Fills the bus' ports. */
  starter: RunStarter
  listen: EventListener
  /** Called in the transaction that deletes a workflow. */
  onDelete(tx: Db, workflowId: string): Promise<void>
  start(signal: AbortSignal): void
  stop(): Promise<void>
}

export const createEngine = (needs: EngineNeeds): RunningEngine => {
  const { kernel, bus } = needs
  const { config, db, clock, ids, tasks } = kernel
  const nodeId = ids.next()
  const changes = createChanges(kernel, nodeId)
  const wake = (): void => (config.SVC_ROLE === 'api' ? changes.callWorkers() : work.wake())
  const commit = countRuns(kernel, createGroupWriter({ kernel, bus, changes, nodeId, wake }))
  const context: EngineContext = {
    ...{ ...needs, nodeId, changes, commit, wake },
    graphs: createGraphs(kernel),
    catalogs: new Map(),
  }
  const work = createWork(context, createExecutors(context))
  const starter = createStarter(context, { ...work, wake })

  return {
    starter,
    wake,
    listen: starter.listen,
    createRuns: (tx, runs) =>
      insertDrafts(
        tx,
        runs.map((run) => draftRun(kernel, run)),
      ),
    onDelete: async (tx, workflowId) => {
      const active = await listActiveOfWorkflowUnscoped(tx, workflowId)
      const ended = await endRunsIn(context, tx, active, {
        status: 'cancelled',
        error: 'The workflow has been deleted.',
      })
      await changes.nudgeOnCommit(
        tx,
        ended.map(({ id }) => id),
      )
    },
    routes: [...runRoutes(context), ...approvalRoutes(context)],
    jobs: [runRetentionJob(kernel, needs.settings)],
    start: (signal) => {
      const begin = async (): Promise<void> => {
        // With a database of its own this process is the only one: whoever holds a lease is no more.
        if (config.DATABASE_URL === undefined) await expireLeasesUnscoped(db, clock.now())
        if (!signal.aborted) work.start(signal)
      }
      tasks.run('workflows.start', begin)
    },
    stop: work.stop,
  }
}
