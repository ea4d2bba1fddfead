/**
 * An unproven account has no claim on its address: the person who proves it gets it. The account is closed, and deleted
 * after 30 days; until then a platform admin can give it another address.
 */
import type { Db } from '#kernel/db/database.ts'
import { type AccountsContext, principalTopic } from '../context.ts'
import { revokeApiKeysUnscoped } from '../queries/api-keys.ts'
import { revokeSessionsUnscoped } from '../queries/sessions.ts'
import { lockUnprovenUnscoped, releaseAddressUnscoped, type UserRow } from '../queries/users.ts'

type Deps = Pick<AccountsContext, 'audit' | 'cache' | 'clock' | 'signals'>

export const releaseUnprovenUnscoped = async (deps: Deps, tx: Db, email: string): Promise<void> => {
  const holder = await lockUnprovenUnscoped(tx, email)
  if (holder) await closeAccountUnscoped(deps, tx, { user: holder, action: 'account.release_address' })
}

/** Ends their sessions and keys too. The caller holds the row's lock. */
export const closeAccountUnscoped = async (
  { audit, cache, clock, signals }: Deps,
  tx: Db,
  { user, action }: { user: Pick<UserRow, 'id' | 'email' | 'organizationId'>; action: string },
): Promise<void> => {
  const { id, email, organizationId } = user
  const at = clock.now()
  await releaseAddressUnscoped(tx, user, at)
  await revokeSessionsUnscoped(tx, id, { at })
  await revokeApiKeysUnscoped(tx, id, at)
  cache.forget(id)
  await signals.send(tx, principalTopic, id)
  await audit.record(tx, { action, by: 'system', target: { kind: 'user', id }, organizationId, detail: { email } })
}
