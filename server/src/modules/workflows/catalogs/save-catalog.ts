/** Creates, changes and deletes catalogs: named sets of model credentials that runs use. */
import type { CatalogBody, CatalogPatch } from '@chancery/contract/workflows/catalogs.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { WorkflowsContext } from '../context.ts'
import { deleteCatalogUnscoped, lockCatalog, upsertCatalogUnscoped } from '../queries/catalogs.ts'
import { recordAction } from '../record-action.ts'
import { sealEntries } from './catalog-keys.ts'

export const createCatalog = async (
  context: WorkflowsContext,
  actor: Actor,
  { body, from }: { body: z.output<typeof CatalogBody>; from: Origin },
): Promise<string> => {
  const { db, clock, ids } = context.kernel
  const id = ids.next()
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const { name, description = '', entries } = body
    const keys = sealEntries(context.kernel, { id, entries: [], sealedKeys: [] }, entries)
    await upsertCatalogUnscoped(tx, {
      id,
      scopeId: scopeOf(actor),
      name,
      description,
      ...keys,
      createdAt: now,
      updatedAt: now,
    })
    await recordAction(context, tx, {
      kind: 'catalog',
      action: 'create',
      id,
      actor,
      from,
      detail: { name, servers: serversOf(entries) },
    })
  })
  return id
}

export const updateCatalog = (
  context: WorkflowsContext,
  actor: Actor,
  { id, patch, from }: { id: string; patch: z.output<typeof CatalogPatch>; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const catalog = await lockCatalog(tx, actor, id)
    if (!catalog) throw new AppError('catalog_not_found')
    const { name = catalog.name, description = catalog.description, entries } = patch
    await upsertCatalogUnscoped(tx, {
      ...catalog,
      name,
      description,
      ...(entries && sealEntries(context.kernel, catalog, entries)),
      updatedAt: context.kernel.clock.now(),
    })
    const detail = { fields: Object.keys(patch), ...(entries && { servers: serversOf(entries) }) }
    await recordAction(context, tx, { kind: 'catalog', action: 'update', id, actor, from, detail })
  })

export const deleteCatalog = (
  context: WorkflowsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const catalog = await lockCatalog(tx, actor, id)
    if (!catalog) throw new AppError('catalog_not_found')
    await deleteCatalogUnscoped(tx, id)
    await recordAction(context, tx, {
      kind: 'catalog',
      action: 'delete',
      id,
      actor,
      from,
      detail: { name: catalog.name },
    })
  })

/** A URL may contain credentials, so the audit log gets the origin only. */
const serversOf = (entries: readonly { url: string }[]): string[] => entries.map(({ url }) => new URL(url).origin)
