/**
 * Creates, changes and deletes connections. A key is sealed and never returned, and it belongs to the server it was
 * entered for: a connection that is pointed elsewhere forgets it, so that it cannot be stolen that way.
 */
import type { ConnectionBody, ConnectionPatch } from '@chancery/contract/models/connections.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsContext } from '../context.ts'
import { withoutTrailingSlash } from './connection.ts'
import {
  type ConnectionRow,
  deleteConnectionUnscoped,
  lockConnectionUnscoped,
  upsertConnectionUnscoped,
} from './queries.ts'
import { sealedAs } from './stored-connection.ts'

type Body = z.output<typeof ConnectionBody>
type Patch = z.output<typeof ConnectionPatch>

export const createConnection = async (
  context: ModelsContext,
  actor: Actor,
  { body, from }: { body: Body; from: Origin },
): Promise<string> => {
  const { clock, ids } = context.kernel
  const id = ids.next()
  const now = clock.now()
  const blank = { prefixId: null, modelIds: null, tags: [], enabled: true, timeoutSec: null, prices: {} }
  const row = {
    id,
    type: body.type,
    name: body.name,
    url: '',
    sealedKey: null,
    ...blank,
    createdAt: now,
    updatedAt: now,
  }
  await context.catalog.changeConnections(async (tx) => {
    await upsertConnectionUnscoped(tx, changed(context, row, body))
    await record(context, tx, { action: 'create', id, actor, from, detail: factsOf(body) })
  })
  return id
}

export const updateConnection = async (
  context: ModelsContext,
  actor: Actor,
  { id, patch, from }: { id: string; patch: Patch; from: Origin },
): Promise<void> => {
  requireStored(context, id)
  await context.catalog.changeConnections(async (tx) => {
    const row = await lockConnectionUnscoped(tx, id)
    if (!row) throw new AppError('connection_not_found')
    await upsertConnectionUnscoped(tx, { ...changed(context, row, patch), updatedAt: context.kernel.clock.now() })
    await record(context, tx, { action: 'update', id, actor, from, detail: factsOf(patch) })
  })
}

export const deleteConnection = async (
  context: ModelsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> => {
  requireStored(context, id)
  await context.catalog.changeConnections(async (tx) => {
    const row = await lockConnectionUnscoped(tx, id)
    if (!row) throw new AppError('connection_not_found')
    await deleteConnectionUnscoped(tx, id)
    await record(context, tx, { action: 'delete', id, actor, from, detail: { name: row.name, url: row.url } })
  })
}

const requireStored = ({ fixed }: ModelsContext, id: string): void => {
  if (fixed.some((settings) => settings.id === id)) throw new AppError('connection_not_editable')
}

const changed = ({ kernel }: ModelsContext, row: ConnectionRow, patch: Patch): ConnectionRow => {
  const url = patch.url === undefined ? row.url : withoutTrailingSlash(patch.url)
  const keeps = row.url !== '' && new URL(row.url).origin === new URL(url).origin
  const { key } = patch
  const kept = keeps ? row.sealedKey : null
  return {
    ...row,
    url,
    name: patch.name ?? row.name,
    sealedKey: key === undefined ? kept : key === null ? null : kernel.sealer.seal(key, sealedAs(row.id)),
    prefixId: patch.prefix_id === undefined ? row.prefixId : patch.prefix_id,
    modelIds: patch.model_ids === undefined ? row.modelIds : nonEmpty(patch.model_ids),
    tags: patch.tags === undefined ? row.tags : [...new Set(patch.tags)],
    enabled: patch.enabled ?? row.enabled,
    timeoutSec: patch.timeout_sec === undefined ? row.timeoutSec : patch.timeout_sec,
    prices: patch.prices ?? row.prices,
  }
}

const nonEmpty = (ids: string[] | null): string[] | null => (ids && ids.length > 0 ? [...new Set(ids)] : null)

const factsOf = ({ key, ...facts }: Patch): Record<string, unknown> => ({
  ...facts,
  ...(key === undefined ? {} : { key: key === null ? 'removed' : 'set' }),
})

interface Action {
  action: 'create' | 'update' | 'delete'
  id: string
  actor: Actor
  from: Origin
  detail: Record<string, unknown>
}

const record = ({ kernel }: ModelsContext, tx: Db, { action, id, actor, from, detail }: Action): Promise<void> =>
  kernel.audit.record(tx, {
    action: `connection.${action}`,
    by: actor,
    from,
    target: { kind: 'connection', id },
    detail,
  })
