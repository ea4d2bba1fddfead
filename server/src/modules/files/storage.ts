/**
 * The storage that a scope has left: an organization, or a person without one. Files and what other modules store for
 * people are one count under one lock, so that two uploads cannot both take the last bytes.
 */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { FilesContext } from './context.ts'
import type { FileOwner } from './interface.ts'
import { countBytesUnscoped, lockStorageUnscoped } from './queries/storage.ts'

type Needs = Pick<FilesContext, 'storageUses' | 'storageLimit'>

export const countStorage = async ({ storageUses }: Needs, db: Db, scopeId: string): Promise<number> => {
  let total = await countBytesUnscoped(db, scopeId)
  for (const count of storageUses) total += await count(db, scopeId)
  return total
}

/** In bytes, from now until the transaction ends: other uploads of the scope wait. */
export const storageLeft = async (context: Needs, tx: Db, owner: FileOwner): Promise<number> => {
  if (owner.kind !== 'user' || !context.storageLimit) return Number.POSITIVE_INFINITY
  const scopeId = scopeOf(owner)
  await lockStorageUnscoped(tx, scopeId)
  return (await context.storageLimit(tx, owner.organizationId)) - (await countStorage(context, tx, scopeId))
}

export const requireStorage = async (
  context: Needs,
  tx: Db,
  { owner, size }: { owner: FileOwner; size: number },
): Promise<void> => {
  if (size <= (await storageLeft(context, tx, owner))) return
  const whose = owner.organizationId === null ? 'Your' : "Your organization's"
  throw new AppError('plan_limit_reached', { detail: `${whose} storage is full.` })
}
