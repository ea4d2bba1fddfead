/** All SQL for `workflow_versions` and their graphs. Callers have found the workflow in the actor's scope. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { isUuid } from '#kernel/ids.ts'
import type { SealedGraph, WorkflowVersionsTable } from '../tables.ts'

export type VersionRow = Selectable<WorkflowVersionsTable>
export type VersionWithGraph = VersionRow & { graph: SealedGraph }

/** Newest first, without graphs. */
export const listVersionsUnscoped = (
  db: Db,
  workflowId: string,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<VersionRow[]> => {
  const all = db.selectFrom('workflowVersions').selectAll().where('workflowId', '=', workflowId)
  const matching = before === undefined ? all : all.where('version', '<', before)
  return matching.orderBy('version', 'desc').limit(limit).execute()
}

const largestVersion = 2_147_483_647

/** By its id or by its number. */
export const findVersionUnscoped = async (
  db: Db,
  workflowId: string,
  key: string,
): Promise<VersionWithGraph | undefined> => {
  const versions = db
    .selectFrom('workflowVersions as v')
    .innerJoin('workflowGraphs as g', (join) =>
      join.onRef('g.workflowId', '=', 'v.workflowId').onRef('g.hash', '=', 'v.graphHash'),
    )
    .selectAll('v')
    .select('g.graph')
    .where('v.workflowId', '=', workflowId)
  if (isUuid(key)) return versions.where('v.id', '=', key).executeTakeFirst()
  const isNumber = /^[1-9]\d{0,9}$/.test(key) && Number(key) <= largestVersion
  return isNumber ? versions.where('v.version', '=', Number(key)).executeTakeFirst() : undefined
}

/** Equal graphs are stored once. */
export const insertGraphUnscoped = async (
  tx: Db,
  { workflowId, hash, graph }: { workflowId: string; hash: string; graph: SealedGraph },
): Promise<void> => {
  await tx
    .insertInto('workflowGraphs')
    .values({ workflowId, hash, graph })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const insertVersionUnscoped = async (tx: Db, version: Insertable<WorkflowVersionsTable>): Promise<void> => {
  await tx.insertInto('workflowVersions').values(version).execute()
}

/** The graph a run is pinned to. */
export const findGraphUnscoped = async (db: Db, workflowId: string, hash: string): Promise<SealedGraph | undefined> => {
  const found = await db
    .selectFrom('workflowGraphs')
    .select('graph')
    .where('workflowId', '=', workflowId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found?.graph
}
