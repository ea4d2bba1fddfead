/**
 * Stops somebody's workflows outside an organization when the address of the account is proven by another person,
 * perhaps: nothing that was published before runs with the new owner's rights. They find it all as it was, and publish
 * what they want.
 */
import type { TakeoverHandler } from '#modules/accounts/index.ts'
import type { Runs } from '#modules/runs/index.ts'
import { haltScopeUnscoped, listWorkflowIdsUnscoped, replaceRunAsUnscoped } from './queries/ownership.ts'

const why = 'It was started before the address of this account was verified.'

export const stopWorkflows =
  ({ endRunsOfWorkflow }: Pick<Runs, 'endRunsOfWorkflow'>): TakeoverHandler =>
  async (tx, userId) => {
    await replaceRunAsUnscoped(tx, userId, undefined)
    await haltScopeUnscoped(tx, userId)
    for (const id of await listWorkflowIdsUnscoped(tx, userId)) await endRunsOfWorkflow(tx, id, why)
  }
