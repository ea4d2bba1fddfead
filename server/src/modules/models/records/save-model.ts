/**
 * Creates and changes model records. With a base, a record is a custom model; the caller must be allowed to use the base,
 * and bases must not form a circle. Without one it holds an administrator's settings for a connection's model.
 */
import { can } from '@chancery/contract/abilities.ts'
import type { ModelBody, ModelPatch } from '@chancery/contract/models/models.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsContext } from '../context.ts'
import { withRuntimeSettingsOf } from '../drivers/runtime-settings.ts'
import { modelResource } from './catalog.ts'
import { findChainAfterRefresh, lookupOf } from './find-model.ts'
import { maxLayers } from './model-chain.ts'
import { callerOf, getChangeable, requireOpenable, requireOwnBase } from './policy.ts'
import {
  countOwnModels,
  findBaseIdUnscoped,
  insertModelUnscoped,
  lockModelUnscoped,
  type ModelRow,
  updateModelUnscoped,
} from './queries/models.ts'

/** Every node holds all of them in memory. */
const maxOwnModels = 100

interface Creation {
  body: z.output<typeof ModelBody>
  from: Origin
}

export const createModel = async (context: ModelsContext, actor: Actor, { body, from }: Creation): Promise<void> => {
  const { clock, audit } = context.kernel
  const { id, name, params = {}, meta = {}, is_active: isActive = true } = body
  const baseModelId = body.base_model_id ?? null
  // By default a person's model is private, and an administrator's record restricts nobody.
  const grants = body.access_grants === undefined ? (can(actor, 'open-to-everyone') ? null : []) : body.access_grants
  requireOwnBase(actor, baseModelId)
  requireOpenable(actor, grants)
  if (baseModelId !== null) {
    requireFreeId(context, id)
    await requireUsableBase(context, actor, baseModelId)
  }
  await context.catalog.changeModel(id, async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    if (actor.kind === 'user' && (await countOwnModels(tx, actor)) >= maxOwnModels)
      throw new AppError('plan_limit_reached')
    const now = clock.now()
    const row: ModelRow = {
      id,
      baseModelId,
      name,
      params,
      meta,
      isActive,
      isRestricted: grants !== null,
      ownerKind: actor.kind,
      ownerId: actor.id,
      createdAt: now,
      updatedAt: now,
    }
    await requireNoCircle(tx, id, baseModelId)
    if (!(await insertModelUnscoped(tx, row))) throw new AppError('model_exists')
    await context.organizations.grants.replace(tx, actor, {
      resource: { type: modelResource, id },
      grants: grants ?? [],
    })
    const detail = { name, base: baseModelId }
    await audit.record(tx, { action: 'model.create', by: actor, from, target: { kind: 'model', id }, detail })
  })
}

interface Change {
  id: string
  patch: z.output<typeof ModelPatch>
  from: Origin
}

export const updateModel = async (context: ModelsContext, actor: Actor, { id, patch, from }: Change): Promise<void> => {
  const record = getChangeable(context, await callerOf(context, actor), id)
  const { access_grants: grants, base_model_id: baseModelId, is_active: isActive, ...rest } = patch
  if (baseModelId !== undefined) requireSameKind(record, baseModelId)
  if (baseModelId && baseModelId !== record.baseModelId) await requireUsableBase(context, actor, baseModelId)
  if (grants === null && record.grants !== null) requireOpenable(actor, grants)

  await context.catalog.changeModel(id, async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const row = await lockModelUnscoped(tx, id)
    if (!row) throw new AppError('model_not_found')
    if (baseModelId) await requireNoCircle(tx, id, baseModelId)
    await updateModelUnscoped(tx, {
      ...row,
      name: rest.name ?? row.name,
      params: paramsFor(actor, row, rest.params),
      meta: rest.meta ?? row.meta,
      baseModelId: baseModelId ?? row.baseModelId,
      isActive: isActive ?? row.isActive,
      isRestricted: grants === undefined ? row.isRestricted : grants !== null,
      updatedAt: context.kernel.clock.now(),
    })
    if (grants !== undefined)
      await context.organizations.grants.replace(tx, actor, {
        resource: { type: modelResource, id },
        grants: grants ?? [],
      })
    const target = { kind: 'model', id }
    const detail = { changed: Object.keys(patch) }
    await context.kernel.audit.record(tx, { action: 'model.update', by: actor, from, target, detail })
  })
}

/** A person with a write grant doesn't change how an administrator's model runs. */
const paramsFor = (actor: Actor, row: ModelRow, params: ModelRow['params'] | undefined): ModelRow['params'] => {
  if (!params || can(actor, 'set-runtime-options') || row.ownerKind !== 'admin') return params ?? row.params
  return withRuntimeSettingsOf(row.params, params)
}

const ownId = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/

/** Neither the id of a connection's or a source's model, nor one under a connection's prefix, where models may appear later. */
const requireFreeId = (context: ModelsContext, id: string): void => {
  if (!ownId.test(id)) {
    const problem = { loc: ['body', 'id'], msg: 'letters, digits and . _ : / @ - only', type: 'invalid_format' }
    throw new AppError('validation_failed', { problems: [problem] })
  }
  const known = lookupOf(context)
  const isPrefixed = context.connections
    .configured()
    .some(({ prefixId }) => prefixId !== null && id.toLowerCase().startsWith(`${prefixId.toLowerCase()}.`))
  if (isPrefixed || known.servers(id).length > 0 || known.source(id)) throw new AppError('model_exists')
}

const requireSameKind = (record: ModelRow, baseModelId: string | null): void => {
  if ((record.baseModelId === null) !== (baseModelId === null)) throw new AppError('model_base_invalid')
}

const requireUsableBase = async (context: ModelsContext, actor: Actor, baseModelId: string): Promise<void> => {
  const base = await findChainAfterRefresh(context, actor, baseModelId)
  if (!base || base.layers.length >= maxLayers) throw new AppError('model_base_invalid')
}

/** Reads the database, not this node's memory; changes are serialized, so the result stays true. */
const requireNoCircle = async (tx: Db, id: string, baseModelId: string | null): Promise<void> => {
  let base = baseModelId
  for (let steps = 0; base !== null; steps++) {
    if (base === id || steps > maxLayers) throw new AppError('model_base_invalid')
    base = await findBaseIdUnscoped(tx, base)
  }
}
