/**
 * An unproven account has no claim on its address: the person who proves it gets it. The account is closed, not deleted: its
 * owner may still be found, and the platform's operators can give it another address.
 */
import type { Db } from '#kernel/db/database.ts'
import { type AccountsContext, principalTopic } from './context.ts'
import { revokeApiKeysUnscoped } from './queries/api-keys.ts'
import { revokeSessionsUnscoped } from './queries/sessions.ts'
import { lockUnprovenUnscoped, releaseAddressUnscoped } from './queries/users.ts'

type Deps = Pick<AccountsContext, 'audit' | 'cache' | 'clock' | 'signals'>

export const releaseUnprovenUnscoped = async (
  { audit, cache, clock, signals }: Deps,
  tx: Db,
  email: string,
): Promise<void> => {
  const holder = await lockUnprovenUnscoped(tx, email)
  if (!holder) return
  const at = clock.now()
  await releaseAddressUnscoped(tx, holder, at)
  await revokeSessionsUnscoped(tx, holder.id, { at })
  await revokeApiKeysUnscoped(tx, holder.id, at)
  cache.forget(holder.id)
  await signals.send(tx, principalTopic, holder.id)
  const target = { kind: 'user', id: holder.id }
  const { organizationId } = holder
  await audit.record(tx, { action: 'account.release_address', by: 'system', target, organizationId, detail: { email } })
}
