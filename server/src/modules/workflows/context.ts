import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EventBus, EventBusConfig } from '#modules/event-bus/index.ts'
import type { ModelsConfig } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Runs, Signatures } from '#modules/runs/index.ts'
import type { Tools } from '#modules/tools/index.ts'

/** Called in the transaction that deletes a workflow, before its rows are deleted. */
export type DeleteListener = (tx: Db, workflowId: string) => Promise<void>

export interface WorkflowsContext {
  kernel: Kernel<ModelsConfig & EventBusConfig>
  organizations: Pick<Organizations, 'requireWritable'>
  bus: EventBus
  signatures: Pick<Signatures, 'describeTemplates'>
  tools: Pick<Tools, 'withinRoutes'>
  runs: Runs
  deleteListeners: DeleteListener[]
}
