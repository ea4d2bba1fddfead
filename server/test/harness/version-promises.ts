/** People who change the versions of one workflow, and what must hold in the tables afterwards despite any crash. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '#kernel/db/tables.ts'
import type { TestApp } from './app.ts'
import { bearer } from './client.ts'
import { workflowsPath as base, chain, makePublished } from './workflows.ts'

type Db = Kysely<Tables>

/** A published workflow, and an API key for it that works on every node of its database. */
export const prepareVersions = async (app: TestApp) => {
  const ana = await app.user()
  const { id } = await makePublished(ana, chain('red'))
  const { body } = await ana.post('/api/v1/api-keys', { name: 'at work' })
  return { id: id as string, headers: { ...bearer(body.key), 'content-type': 'application/json' } }
}

/** A version whose creation was acknowledged. */
interface Told {
  id: string
  version: number
  type: 'Published' | 'Manual'
  notes: string
}
interface Seen extends Told {
  graph: Graph | undefined
}

interface Work {
  id: string
  headers: Record<string, string>
  addressOf(): string
  isOver(): boolean
}

const actionNames = ['publish', 'snapshot', 'rollback'] as const
type Action = (typeof actionNames)[number]
const colours = ['red', 'green', 'blue', 'grey']
const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item

const mostActions = 2000

/**
 * Edits, publishes, snapshots and rolls back in random order until stopped, each at least once. Returns the versions
 * that were acknowledged.
 */
export const workOnVersions = async ({ id, headers, addressOf, isOver }: Work): Promise<Seen[]> => {
  const seen: Seen[] = []
  /** Undefined if the server is down, or the action isn't allowed in the workflow's current state. */
  const ask = async (method: string, path: string, body?: object) => {
    try {
      const reply = await fetch(`${addressOf()}${base}/${id}${path}`, {
        method,
        headers,
        ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      })
      const text = await reply.text()
      expect([200, 201, 404, 409, 503], text).toContain(reply.status)
      return reply.status < 300 ? JSON.parse(text) : undefined
    } catch (problem) {
      if (problem instanceof TypeError || problem instanceof DOMException) return undefined
      throw problem
    }
  }
  const actions: Record<Action, (notes: string) => Promise<Told | undefined>> = {
    publish: async (notes) => {
      await ask('PUT', '', { graph: chain(any(colours)) })
      await ask('POST', '/submit')
      const workflow = await ask('POST', '/approve', { notes })
      const { live_version_id, live_version } = workflow ?? {}
      return workflow && { id: live_version_id, version: live_version, type: 'Published', notes }
    },
    snapshot: (notes) => ask('POST', '/snapshot', { notes }),
    rollback: async (notes) => {
      const version_id = String(1 + Math.floor(Math.random() * 10))
      return (await ask('POST', '/rollback', { version_id, notes }))?.saved_version
    },
  }
  const done = new Set<Action>()
  for (let number = 1; number < mostActions && !(isOver() && done.size === actionNames.length); number++) {
    const action = any(actionNames)
    const told = await actions[action](`${action} ${number} ${Math.random()}`)
    if (told) {
      done.add(action)
      seen.push({ ...told, graph: (await ask('GET', `/versions/${told.id}`))?.graph })
    }
    await sleep(Math.random() * 40)
  }
  return seen
}

/** Rows that must not exist. */
const breaches = {
  'numbers with a gap': sql`
    select workflow_id as id from workflow_versions group by workflow_id having min(version) <> 1 or max(version) <> count(*)`,
  'a last number that is not that of the newest version': sql`
    select id from workflows w
    where last_version <> (select count(*) from workflow_versions where workflow_id = w.id)`,
  'a live pointer that is not at the newest Published version': sql`
    select id from workflows w where live_version_id is distinct from (
      select id from workflow_versions where workflow_id = w.id and type = 'Published' order by version desc limit 1)`,
  'a workflow that is Published with another graph than its live version, or without firing': sql`
    select w.id from workflows w join workflow_versions v on v.id = w.live_version_id
    where w.status = 'Published' and (not w.is_live or w.graph_hash <> v.graph_hash)`,
  'equal graphs that are kept twice': sql`
    select workflow_id as id from workflow_graphs group by workflow_id, graph having count(*) > 1`,
  'a graph that no version has': sql`
    select hash as id from workflow_graphs g where not exists (
      select from workflow_versions where workflow_id = g.workflow_id and graph_hash = g.hash)`,
  'a version without the one action that made it': sql`
    select v.id from workflow_versions v where 1 <> (
      select count(*) from audit_log a where a.target_id = v.workflow_id::text
        and coalesce(a.detail ->> 'saved', a.detail ->> 'version') = v.version::text
        and a.action = any(case v.type when 'Published' then array['workflow.publish']
          else array['workflow.snapshot', 'workflow.rollback'] end))`,
}

/** Call it once nobody changes anything. `seen` are the versions that were acknowledged. */
export const expectVersionsKept = async (
  db: Db,
  { id, seen }: { id: string; seen: readonly Seen[] },
): Promise<void> => {
  for (const [breach, query] of Object.entries(breaches)) expect((await query.execute(db)).rows, breach).toEqual([])
  const kept = await db
    .selectFrom('workflowVersions as v')
    .innerJoin('workflowGraphs as g', (join) =>
      join.onRef('g.workflowId', '=', 'v.workflowId').onRef('g.hash', '=', 'v.graphHash'),
    )
    .select(['v.id', 'v.version', 'v.type', 'v.notes', 'g.graph'])
    .where('v.workflowId', '=', id)
    .execute()
  const byId = new Map(kept.map((version) => [version.id, version]))
  for (const { id: versionId, version, type, notes, graph } of seen)
    expect(byId.get(versionId)).toMatchObject({ version, type, notes, ...(graph && { graph }) })
  // No action was applied twice: each had its own message and was sent once.
  expect(new Set(kept.map(({ notes }) => notes)).size).toBe(kept.length)
  // The test did create versions that could have been lost.
  for (const action of actionNames)
    expect(seen.filter(({ notes }) => notes.startsWith(action)).length, action).toBeGreaterThan(0)
}
