/** Workflows: definitions, review, versions, triggers, and what happens when they fail. The module's public interface. */
import './tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { EventBus, EventBusConfig } from '#modules/event-bus/index.ts'
import type { ModelsConfig } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Runs, Signatures } from '#modules/runs/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { WorkflowsContext } from './context.ts'
import { failureMailJob } from './failures/failure-mails.ts'
import { watchFailures } from './failures/start-error-runs.ts'
import { handOverWorkflows } from './hand-over-workflows.ts'
import { activeWorkflowsQuota, triggersQuota } from './quotas.ts'
import { catalogRoutes } from './routes/catalogs.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { reviewRoutes } from './routes/review.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { versionRoutes } from './routes/versions.ts'
import { workflowRoutes } from './routes/workflows.ts'
import { stopWorkflows } from './stop-workflows.ts'
import { createTriggers } from './triggers/index.ts'
import { workflowTools } from './workflow-tools.ts'

export { createDefinitions } from './definitions-for-runs.ts'
export { findWorkflowNamesUnscoped } from './queries/names.ts'
export { mailPaused } from './triggers/mail-paused.ts'

interface WorkflowsNeeds {
  kernel: Kernel<ModelsConfig & EventBusConfig>
  accounts: Pick<Accounts, 'registerDeletionHandler' | 'registerTakeoverHandler'>
  organizations: Pick<Organizations, 'requireWritable'>
  bus: EventBus
  runs: Runs
  tools: Tools
  signatures: Pick<Signatures, 'describeTemplates'>
}

export const createWorkflows = ({ accounts, ...needs }: WorkflowsNeeds): Module => {
  const { kernel, runs, tools } = needs
  const endRuns = (tx: Db, id: string) => runs.endRunsOfWorkflow(tx, id, 'The workflow has been deleted.')
  const context: WorkflowsContext = { ...needs, deleteListeners: [endRuns] }
  for (const quota of [triggersQuota, activeWorkflowsQuota]) kernel.quotas.declare(quota)
  const triggers = createTriggers(context)
  accounts.registerDeletionHandler(handOverWorkflows(context))
  accounts.registerTakeoverHandler(stopWorkflows(runs))
  tools.registerSource(workflowTools(context))
  return {
    routes: [
      ...workflowRoutes(context),
      ...reviewRoutes(context),
      ...versionRoutes(context),
      ...catalogRoutes(context),
      ...credentialRoutes(context),
      ...spaceRoutes(context),
      ...triggers.routes,
    ],
    jobs: [...triggers.jobs, failureMailJob(kernel)],
    start: (signal) => {
      triggers.start(signal)
      if (kernel.config.SVC_ROLE !== 'api') watchFailures(context, signal)
    },
  }
}
