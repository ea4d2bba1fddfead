/** Workflows: definitions, review, versions, triggers and runs. The module's public interface. */
import './run-tables.ts'
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { RunCode } from '#kernel/run-code.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { WorkflowsContext } from './context.ts'
import { createEngine, type RunningEngine } from './engine/index.ts'
import { handOverWorkflows } from './hand-over-workflows.ts'
import { findRunProgressUnscoped, findWorkflowNamesUnscoped } from './queries/names.ts'
import { catalogRoutes } from './routes/catalogs.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { reviewRoutes } from './routes/review.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { versionRoutes } from './routes/versions.ts'
import { workflowRoutes } from './routes/workflows.ts'
import type { Signatures } from './signatures.ts'
import { stopWorkflows } from './stop-workflows.ts'
import { createTriggers } from './triggers/index.ts'

export interface WorkflowsNeeds {
  kernel: Kernel
  accounts: Pick<Accounts, 'registerDeletionHandler' | 'registerTakeoverHandler'>
  organizations: Pick<Organizations, 'requireWritable'>
  bus: EventBus
  completions: Completions
  models: Models
  realtime: Pick<Realtime, 'topics'>
  tools: Tools
  settings: Pick<Settings, 'register'>
  signatures: Signatures
  runCode: RunCode
  /** How many days the audit log is kept; 0 is forever. */
  auditDays(): number
}

export type { RunMeasures, RunTransition } from './engine/index.ts'

/** For metrics: what happens to runs, and how many there are. */
export type Workflows = Module & Pick<RunningEngine, 'onTransition' | 'measureRuns'>

export const createWorkflows = (needs: WorkflowsNeeds): Workflows => {
  const { kernel, organizations, bus, signatures, tools } = needs
  const engine = createEngine(needs)
  const deleteListeners = [engine.onDelete]
  const context: WorkflowsContext = { kernel, organizations, bus, signatures, tools, engine, deleteListeners }
  const triggers = createTriggers(context)
  needs.accounts.registerDeletionHandler(handOverWorkflows(context))
  needs.accounts.registerTakeoverHandler(stopWorkflows(engine))
  bus.registerWorkflowNames(findWorkflowNamesUnscoped)
  bus.registerRunProgress(findRunProgressUnscoped)
  bus.registerRunStarter(engine.starter)
  bus.registerListener(engine.listen)
  return {
    routes: [
      ...workflowRoutes(context),
      ...reviewRoutes(context),
      ...versionRoutes(context),
      ...catalogRoutes(context),
      ...credentialRoutes(context),
      ...spaceRoutes(context),
      ...triggers.routes,
      ...engine.routes,
    ],
    jobs: [...triggers.jobs, ...engine.jobs],
    start: (signal) => {
      engine.start(signal)
      triggers.start(signal)
    },
    stop: engine.stop,
    onTransition: engine.onTransition,
    measureRuns: engine.measureRuns,
  }
}
