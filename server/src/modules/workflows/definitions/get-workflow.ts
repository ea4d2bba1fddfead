/** A workflow of the actor's scope. A foreign one doesn't exist (404). */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findWorkflow, type LockedWorkflow, lockWorkflow, type WorkflowRow } from '../queries/workflows.ts'

export const getWorkflow = async (db: Db, actor: Actor, id: string): Promise<WorkflowRow> => {
  const workflow = await findWorkflow(db, actor, id)
  if (!workflow) throw new AppError('workflow_not_found')
  return workflow
}

/** Locked for a change, in a transaction. */
export const getLockedWorkflow = async (tx: Db, actor: Actor, id: string): Promise<LockedWorkflow> => {
  const workflow = await lockWorkflow(tx, actor, id)
  if (!workflow) throw new AppError('workflow_not_found')
  return workflow
}
