/**
 * What happens to somebody's workflows outside an organization when the address of the account is proven by another
 * person, perhaps: nothing that was published before runs with the new owner's rights. They find it all as it was, and
 * publish what they want.
 */
import type { TakeoverHandler } from '#modules/accounts/index.ts'
import type { RunningEngine } from './engine/index.ts'
import { haltScopeUnscoped, listWorkflowIdsUnscoped, replaceRunAsUnscoped } from './queries/ownership.ts'

const why = 'It was started before the address of this account was verified.'

export const stopWorkflows =
  ({ endRuns }: Pick<RunningEngine, 'endRuns'>): TakeoverHandler =>
  async (tx, userId) => {
    await replaceRunAsUnscoped(tx, userId, undefined)
    await haltScopeUnscoped(tx, userId)
    for (const id of await listWorkflowIdsUnscoped(tx, userId)) await endRuns(tx, id, why)
  }
