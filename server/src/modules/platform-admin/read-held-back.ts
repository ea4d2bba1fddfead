/** Held back work for the console, with the names of its owners. */
import type { HeldItem as ShownItem } from '@chancery/contract/platform/platform.ts'
import type { Db } from '#kernel/db/database.ts'
import type { HeldBack, HeldFilter } from '#kernel/held-back/held-back.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import { presentHeldItem } from './present.ts'

export const readHeldBack = async (
  db: Db,
  heldBack: HeldBack,
  filter: HeldFilter,
): Promise<{ items: ShownItem[]; total: number }> => {
  const { items, total } = await heldBack.list(db, filter)
  const scopes = [...new Set(items.flatMap(({ scopeId }) => scopeId ?? []))]
  const [organizations, users] = await Promise.all([
    listOrganizationsAmongUnscoped(db, scopes),
    listUsersAmongUnscoped(db, scopes),
  ])
  const owners = new Map<string, ShownItem['owner']>()
  for (const { id, name } of users) owners.set(id, { kind: 'user', id, name })
  for (const { id, name } of organizations) owners.set(id, { kind: 'organization', id, name })
  const ownerOf = (id: string | null): ShownItem['owner'] =>
    id === null ? null : (owners.get(id) ?? { kind: 'organization', id, name: null })
  return { items: items.map((item) => presentHeldItem(item, ownerOf(item.scopeId))), total }
}
