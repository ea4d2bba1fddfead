/**
 * Deletes the workflows, catalogs, spaces and runs that a deleted person had outside an organization. An organization's
 * own stay with it. Their events stay until retention deletes them, visible to nobody.
 */
import { scopeOf } from '#kernel/http/scope.ts'
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import { deleteRunsUnscoped, moveRunsUnscoped } from '#modules/runs/index.ts'
import type { WorkflowsContext } from './context.ts'
import {
  deleteScopeUnscoped,
  listWorkflowIdsUnscoped,
  moveScopeUnscoped,
  replaceRunAsUnscoped,
} from './queries/ownership.ts'
import { deleteWorkflowUnscoped } from './queries/workflows.ts'

export const handOverWorkflows =
  ({ bus, deleteListeners }: Pick<WorkflowsContext, 'bus' | 'deleteListeners'>): UserDeletionHandler =>
  async (tx, { user, heir }) => {
    await replaceRunAsUnscoped(tx, user.id, heir)
    const ids = await listWorkflowIdsUnscoped(tx, user.id)
    const subscriptions = await bus.listSubscriptionsUnscoped(tx, ids)
    if (heir) {
      const scopeId = scopeOf(heir)
      for (const { id } of subscriptions) await bus.moveSubscription(tx, id, scopeId)
      await moveScopeUnscoped(tx, user.id, scopeId)
      await moveRunsUnscoped(tx, { from: user.id, scopeId, heirId: heir.id })
      return
    }
    for (const { id } of subscriptions) await bus.deleteSubscription(tx, id)
    for (const id of ids) {
      for (const listen of deleteListeners) await listen(tx, id)
      await deleteWorkflowUnscoped(tx, id)
    }
    await deleteRunsUnscoped(tx, user.id)
    await deleteScopeUnscoped(tx, user.id)
  }
