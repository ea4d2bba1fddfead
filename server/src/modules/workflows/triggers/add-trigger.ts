/**
 * Shared by all kinds of triggers when one is added: the workflow's lock, and the checks of what the trigger refers to.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { requireSpace } from '../catalogs/get-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { requireOwnTools } from '../definitions/require-own-tools.ts'
import { findCatalog } from '../queries/catalogs.ts'
import type { LockedWorkflow } from '../queries/workflows.ts'
import { recordTriggerAction } from '../record-action.ts'
import type { AnyTrigger } from './any-trigger.ts'

/** The catalog and the space that a trigger's runs use. */
export interface References {
  catalog_id?: string | null | undefined
  space_id?: string | null | undefined
}

/** They must belong to the actor's scope; none is fine. */
export const requireReferences = async (tx: Db, actor: Actor, { catalog_id, space_id }: References): Promise<void> => {
  if (catalog_id && !(await findCatalog(tx, actor, catalog_id))) throw new AppError('catalog_not_found')
  await requireSpace(tx, actor, space_id)
}

export const referencesOf = ({ catalog_id, space_id }: References) => ({
  catalogId: catalog_id ?? null,
  spaceId: space_id ?? null,
})

export interface Addition<Body> {
  workflowId: string
  body: Body
  from: Origin
}

/** Adds a trigger in the transaction that holds the workflow's lock. */
export const addTrigger = <Body extends References, Added extends AnyTrigger>(
  context: WorkflowsContext,
  actor: Actor,
  { workflowId, body, from, add }: Addition<Body> & { add(tx: Db, workflow: LockedWorkflow): Promise<Added> },
): Promise<Added> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, workflowId)
    await requireReferences(tx, actor, body)
    await requireOwnTools(context, tx, actor, { workflowIds: [workflow.id] })
    const trigger = await add(tx, workflow)
    await recordTriggerAction(context, tx, { action: 'create', actor, from, trigger })
    return trigger
  })
