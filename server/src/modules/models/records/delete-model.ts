/** Deletes a record. A connection's model then has its own defaults again. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { deleteGrantsUnscoped } from '#modules/organizations/index.ts'
import type { ModelsContext } from '../context.ts'
import { modelResource } from './catalog.ts'
import { mayRead } from './model-chain.ts'
import { callerOf, requireOwner } from './policy.ts'
import { deleteModelUnscoped } from './queries/models.ts'

export const deleteModel = async (
  context: ModelsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> => {
  const record = context.catalog.find(id)
  if (!record || !mayRead(await callerOf(context, actor), record)) throw new AppError('model_not_found')
  requireOwner(actor, record)
  await context.catalog.changeModel(id, async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    await deleteModelUnscoped(tx, id)
    await deleteGrantsUnscoped(tx, { type: modelResource, id })
    const target = { kind: 'model', id }
    const detail = { name: record.name, base: record.baseModelId }
    await context.kernel.audit.record(tx, { action: 'model.delete', by: actor, from, target, detail })
  })
}
