/** Creates, changes and deletes spaces. Their members are people of the scope. */
import { can } from '@chancery/contract/abilities.ts'
import type { SpaceBody, SpacePatch } from '@chancery/contract/workflows/catalogs.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { WorkflowsContext } from '../context.ts'
import { findPeople } from '../find-people.ts'
import {
  deleteSpaceUnscoped,
  insertSpaceUnscoped,
  lockSpace,
  replaceSpaceMembersUnscoped,
  updateSpaceUnscoped,
} from '../queries/spaces.ts'
import { recordAction } from '../record-action.ts'

export const createSpace = async (
  context: WorkflowsContext,
  actor: Actor,
  { body, from }: { body: z.output<typeof SpaceBody>; from: Origin },
): Promise<string> => {
  const { db, clock, ids } = context.kernel
  const id = ids.next()
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const { name, description = '', member_ids = [] } = body
    await insertSpaceUnscoped(tx, { id, scopeId: scopeOf(actor), name, description, createdAt: now, updatedAt: now })
    await replaceSpaceMembersUnscoped(tx, id, await getPeople(tx, actor, member_ids))
    await recordAction(context, tx, { kind: 'space', action: 'create', id, actor, from, detail: { name } })
  })
  return id
}

export const updateSpace = (
  context: WorkflowsContext,
  actor: Actor,
  { id, patch, from }: { id: string; patch: z.output<typeof SpacePatch>; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const space = await lockSpace(tx, actor, id)
    if (!space) throw new AppError('space_not_found')
    const { name = space.name, description = space.description, member_ids } = patch
    await updateSpaceUnscoped(tx, id, { name, description, updatedAt: context.kernel.clock.now() })
    if (member_ids) await replaceSpaceMembersUnscoped(tx, id, await getPeople(tx, actor, member_ids))
    await recordAction(context, tx, {
      kind: 'space',
      action: 'update',
      id,
      actor,
      from,
      detail: { fields: Object.keys(patch) },
    })
  })

/** Its workflows stay, without a space. */
export const deleteSpace = (
  context: WorkflowsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const space = await lockSpace(tx, actor, id)
    if (!space) throw new AppError('space_not_found')
    await deleteSpaceUnscoped(tx, id)
    await recordAction(context, tx, { kind: 'space', action: 'delete', id, actor, from, detail: { name: space.name } })
  })

/** All of them must belong to the scope. Actors who aren't reviewers become members, so that they can't lock themselves out. */
const getPeople = async (tx: Db, actor: Actor, userIds: readonly string[]): Promise<string[]> => {
  const named = userIds.map((id) => id.toLowerCase())
  const wanted = [...new Set(named.length > 0 && !can(actor, 'see-all-spaces') ? [...named, actor.id] : named)]
  const found = await findPeople(tx, actor, wanted)
  if (found.length < wanted.length) throw new AppError('member_not_found')
  return wanted
}
