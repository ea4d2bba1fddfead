/** All SQL for `workflows`. Reads are scoped by the actor: a foreign workflow is not found. */
import type { WorkflowListQuery, WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type Page, type SortColumns } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { WorkflowsTable } from '../tables.ts'

/** The live snapshot of the workflow. */
interface Live {
  liveVersion: number | null
  liveHash: string | null
}
export type WorkflowHead = Omit<Selectable<WorkflowsTable>, 'graph'> & Live
export type WorkflowRow = Selectable<WorkflowsTable> & Live
export type LockedWorkflow = Selectable<WorkflowsTable>

const headColumns = [
  'id',
  'scopeId',
  'name',
  'description',
  'status',
  'graphHash',
  'errorWorkflowId',
  'errorWorkflowSince',
  'liveVersionId',
  'isLive',
  'lastVersion',
  'spaceId',
  'authorId',
  'authorName',
  'runAsUserId',
  'runAsName',
  'createdAt',
  'updatedAt',
  'reviewNotes',
  'reviewById',
  'reviewByName',
  'reviewedAt',
  sql<number | null>`(select version from workflow_versions where id = workflows.live_version_id)`.as('liveVersion'),
  sql<string | null>`(select graph_hash from workflow_versions where id = workflows.live_version_id)`.as('liveHash'),
] as const

const inScope = (db: Db, actor: Actor) => db.selectFrom('workflows').where('scopeId', '=', scopeOf(actor))

export const findWorkflow = (db: Db, actor: Actor, id: string): Promise<WorkflowRow | undefined> =>
  inScope(db, actor).select(headColumns).select('graph').where('id', '=', id).executeTakeFirst()

/** Serialises changes of one workflow; each sees the one before. Whatever starts its runs holds it meanwhile (`for key share`). */
export const lockWorkflow = (tx: Db, actor: Actor, id: string): Promise<LockedWorkflow | undefined> =>
  inScope(tx, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export interface WorkflowFilter extends Page {
  search?: string | undefined
  status?: WorkflowStatus | undefined
  sort?: WorkflowListQuery['sort']
}

const sortColumns: SortColumns<'name' | 'status' | 'updated'> = {
  name: sql`lower(name)`,
  status: sql.ref('status'),
  updated: sql.ref('updatedAt'),
}

/** Last changed first unless sorted, without graphs. */
export const listWorkflows = (db: Db, actor: Actor, { search, status, sort = '-updated', ...page }: WorkflowFilter) => {
  let matching = inScope(db, actor)
  if (status) matching = matching.where('status', '=', status)
  return fetchPage(db, matching, page, {
    select: (query) => inOrder(query.select(headColumns), { sort, columns: sortColumns }),
    search: search ? hasText(search, { columns: ['name', 'description'] }) : undefined,
  })
}

/** Which of these are in the actor's scope. */
export const listOwnWorkflowIds = async (db: Db, actor: Actor, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const found = await inScope(db, actor).select('id').where('id', 'in', ids).execute()
  return found.map(({ id }) => id)
}

/** True when the workflow is in the actor's scope; it can't be deleted before the transaction ends. */
export const holdOwnWorkflow = async (tx: Db, actor: Actor, id: string): Promise<boolean> =>
  (await inScope(tx, actor).select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined

export const countLiveWorkflowsUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('workflows')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('scopeId', '=', scopeId)
    .where('isLive', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertWorkflowUnscoped = async (tx: Db, workflow: Insertable<WorkflowsTable>): Promise<void> => {
  await tx.insertInto('workflows').values(workflow).execute()
}

/** The caller holds its lock. */
export const updateWorkflowUnscoped = async (tx: Db, id: string, change: Updateable<WorkflowsTable>): Promise<void> => {
  await tx.updateTable('workflows').set(change).where('id', '=', id).execute()
}

/** Its versions and triggers are deleted with it. */
export const deleteWorkflowUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('workflows').where('id', '=', id).execute()
}
