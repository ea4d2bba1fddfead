/** What making a trigger of any kind has in common: whose the workflow is, and what the trigger may point at. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { requireSpace } from '../catalogs/get-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { findCatalog } from '../queries/catalogs.ts'
import type { LockedWorkflow } from '../queries/workflows.ts'
import { recordTriggerAction } from '../record-action.ts'
import type { AnyTrigger } from './any-trigger.ts'

/** As bodies name them. */
export interface Places {
  catalog_id?: string | null | undefined
  space_id?: string | null | undefined
}

/** A catalog and a space of the actor's scope; none is fine. */
export const requirePlaces = async (tx: Db, actor: Actor, { catalog_id, space_id }: Places): Promise<void> => {
  if (catalog_id && !(await findCatalog(tx, actor, catalog_id))) throw new AppError('catalog_not_found')
  await requireSpace(tx, actor, space_id)
}

export const placesOf = ({ catalog_id, space_id }: Places) => ({
  catalogId: catalog_id ?? null,
  spaceId: space_id ?? null,
})

export interface Addition<Body> {
  workflowId: string
  body: Body
  from: Origin
}

/** Makes one, in the transaction that holds the workflow's lock. */
export const addTrigger = <Body extends Places, Added extends AnyTrigger>(
  context: WorkflowsContext,
  actor: Actor,
  { workflowId, body, from, add }: Addition<Body> & { add(tx: Db, workflow: LockedWorkflow): Promise<Added> },
): Promise<Added> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, workflowId)
    await requirePlaces(tx, actor, body)
    const trigger = await add(tx, workflow)
    await recordTriggerAction(context, tx, { action: 'create', actor, from, trigger })
    return trigger
  })
