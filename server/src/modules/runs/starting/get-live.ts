/** The version of a workflow to start now. The workflow can't be deleted before the transaction ends. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Definitions } from '../shared/definitions.ts'
import type { LiveVersion } from '../shared/new-run.ts'

export const getLiveUnscoped = async (definitions: Definitions, tx: Db, workflowId: string): Promise<LiveVersion> => {
  await definitions.holdUnscoped(tx, [workflowId])
  const live = (await definitions.findLiveUnscoped(tx, [workflowId])).get(workflowId)
  if (!live) throw new AppError('workflow_not_published')
  return live
}
