/** Retention over a long history: all that is old goes, in batches, and what was gone through is not gone through again. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createAudit } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { noFailpoints } from '#kernel/failpoints.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { finished, publish, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { runRetentionJob } from './retention.ts'

const app = await testApp()
const settings = {
  register:
    <Value>({ fallback }: { fallback: Value }) =>
    () =>
      fallback,
}
let auditDays = 0
const { clock, db } = app
const audit = createAudit({ clock, ids: systemIds })
const job = runRetentionJob({ audit, clock, db, failpoints: noFailpoints }, { settings, auditDays: () => auditDays })
const retain = () =>
  job.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })

const addSteps = (name: string, count: number, db: Db = app.db) =>
  sql`insert into run_steps (id, run_id, node_id, attempt, status, started_at)
    select gen_random_uuid(), id, 'n' || number, 1, 'succeeded', created_at
    from runs, generate_series(1, ${count}::integer) number where workflow_name = ${name}`.execute(db)

/**
 * Runs that ended one second after the other, or have not ended, with their steps. Both at once, as the app's own hourly
 * job would otherwise go past runs whose steps are still to come.
 */
const makeRuns = (name: string, { count, steps, endedAt }: { count: number; steps: number; endedAt: Date | null }) =>
  app.db.transaction().execute(async (tx) => {
    await sql`insert into runs (id, workflow_id, workflow_name, version_id, version, graph_hash, scope_id, status,
      trigger_kind, input, deadline_at, created_at, finished_at)
    select gen_random_uuid(), gen_random_uuid(), ${name}, gen_random_uuid(), 1, 'h', gen_random_uuid(),
      ${endedAt === null ? 'waiting' : 'succeeded'}, 'manual', '{}', now() + interval '1 year', now() - interval '1 year',
      ${endedAt}::timestamptz + number / 3 * interval '1 second'
    from generate_series(1, ${count}::integer) number`.execute(tx)
    await addSteps(name, steps, tx)
  })
const daysAgo = (days: number): Date => new Date(app.clock.now().getTime() - days * 86_400_000)
/** The runs that are left of each kind, and their steps. */
const left = async (): Promise<Record<string, [number, number]>> => {
  const { rows } = await sql<{ name: string; runs: number; steps: number }>`
    select workflow_name as name, count(distinct r.id)::int as runs, count(s.id)::int as steps
    from runs r left join run_steps s on s.run_id = r.id group by workflow_name`.execute(app.db)
  return Object.fromEntries(rows.map(({ name, runs, steps }) => [name, [runs, steps]]))
}

it('lets steps go after their days and runs after theirs, whatever their number, and looks at no run twice', async () => {
  await makeRuns('old', { count: 450, steps: 2, endedAt: daysAgo(20) })
  await makeRuns('long', { count: 1, steps: 2500, endedAt: daysAgo(19) })
  await makeRuns('young', { count: 5, steps: 2, endedAt: daysAgo(10) })
  await makeRuns('active', { count: 1, steps: 2, endedAt: null })
  await retain()
  expect(await left()).toEqual({ old: [450, 0], long: [1, 0], young: [5, 10], active: [1, 2] })

  // A step that there cannot be shows who looks where there is nothing to be found.
  await addSteps('long', 1)
  app.clock.forward({ days: 10 })
  await retain()
  expect(await left()).toEqual({ old: [450, 0], long: [1, 1], young: [5, 0], active: [1, 2] })

  app.clock.forward({ days: 65 })
  await retain()
  expect(await left()).toEqual({ young: [5, 0], active: [1, 2] })
})

it('keeps the children of a run that goes on: without them its loop would begin again', async () => {
  await makeRuns('parent', { count: 1, steps: 1, endedAt: null })
  await makeRuns('child', { count: 3, steps: 0, endedAt: daysAgo(100) })
  await makeRuns('other', { count: 3, steps: 0, endedAt: daysAgo(100) })
  const parent = app.db.selectFrom('runs').select('id').where('workflowName', '=', 'parent')
  await app.db.updateTable('runs').set({ parentRunId: parent }).where('workflowName', '=', 'child').execute()
  await retain()
  expect(await left()).toMatchObject({ parent: [1, 1], child: [3, 0] })
  expect(await left()).not.toHaveProperty('other')
  await app.db
    .updateTable('runs')
    .set({ status: 'succeeded', finishedAt: daysAgo(1) })
    .where('workflowName', '=', 'parent')
    .execute()
  await retain()
  expect(await left()).not.toHaveProperty('child')
})

it('keeps earlier runs of a line of retries and their children while a later retry goes on', async () => {
  const line = ['first', 'second', 'third'] as const
  for (const name of line) await makeRuns(name, { count: 1, steps: 0, endedAt: name === 'third' ? null : daysAgo(100) })
  for (const name of ['child of first', 'child of second'])
    await makeRuns(name, { count: 2, steps: 0, endedAt: daysAgo(100) })
  const idOf = (name: string) => app.db.selectFrom('runs').select('id').where('workflowName', '=', name)
  for (const name of ['second', 'third'])
    await app.db
      .updateTable('runs')
      .set({ retryOf: idOf('first') })
      .where('workflowName', '=', name)
      .execute()
  for (const name of ['first', 'second'])
    await app.db
      .updateTable('runs')
      .set({ parentRunId: idOf(name) })
      .where('workflowName', '=', `child of ${name}`)
      .execute()
  const child = sql<string>`(select id from runs where workflow_name = 'child of first' order by id limit 1)`
  const family = { 'retry of a child': { retryOf: child }, grandchild: { parentRunId: child } }
  for (const [name, relation] of Object.entries(family)) {
    await makeRuns(name, { count: 1, steps: 0, endedAt: daysAgo(100) })
    await app.db.updateTable('runs').set(relation).where('workflowName', '=', name).execute()
  }
  await retain()
  const one = { first: [1, 0], second: [1, 0], third: [1, 0], 'retry of a child': [1, 0], grandchild: [1, 0] }
  expect(await left()).toMatchObject({ ...one, 'child of first': [2, 0], 'child of second': [2, 0] })
  await app.db
    .updateTable('runs')
    .set({ status: 'succeeded', finishedAt: daysAgo(1) })
    .where('workflowName', '=', 'third')
    .execute()
  await retain()
  const after = Object.keys(await left())
  expect(after).toContain('third')
  for (const name of ['first', 'second', 'child of first', 'child of second', ...Object.keys(family)])
    expect(after).not.toContain(name)
})

it('lets waits go whose step has ended without their event', async () => {
  await makeRuns('waiting', { count: 1, steps: 2, endedAt: null })
  await sql`update run_steps set finished_at = now() where node_id = 'n1'`.execute(app.db)
  await sql`insert into run_waits (step_id, run_id, scope_id, event_type, created_at)
    select s.id, s.run_id, r.scope_id, 'order_paid', now() from run_steps s join runs r on r.id = s.run_id
    where r.workflow_name = 'waiting'`.execute(app.db)
  await retain()
  const { rows } = await sql`
    select s.node_id from run_waits w join run_steps s on s.id = w.step_id`.execute(app.db)
  expect(rows).toEqual([{ nodeId: 'n2' }])
})

it('keeps answered approvals as evidence when their run is deleted, and forgets those that nobody answered', async () => {
  const ana = await app.user()
  const graph = { nodes: [node('ask', { title: 'Pay?', message: 'Invoice {{ input }}' }, 'approval')], edges: [] }
  const id = await publish(ana, graph)
  const ask = async (invoice: number) => {
    const { body } = await startByHand(ana, id, invoice)
    return runWhere(ana, body.id, ({ status }) => status === 'waiting')
  }
  const [answered, ignored] = [await ask(7), await ask(8)]
  const step = answered.steps[0]?.id
  await ana.post(`${runsPath}/${answered.id}/approvals/${step}`, { approved: true, comment: 'Fine' })
  await finished(ana, answered.id)
  await ana.post(`${runsPath}/${ignored.id}/cancel`)
  app.clock.forward({ days: 100 })
  await retain()
  // The session of a hundred days ago has ended.
  const { token } = (await app.newcomer().post('/api/auth/login', { email: ana.email, password })).body
  const read = (path: string) => app.newcomer().get(path, bearer(token))
  expect((await read(`${runsPath}/${answered.id}`)).status).toBe(404)
  const rows = await app.db.selectFrom('approvals').selectAll().where('workflowId', '=', id).execute()
  expect(rows).toMatchObject([{ runId: answered.id, approved: true, comment: 'Fine', answeredBy: ana.id }])
  const { body } = await read('/api/v1/approvals?state=answered')
  expect(body.items).toMatchObject([{ title: 'Pay?', message: 'Invoice 7', workflow_name: 'A workflow' }])
})

it('deletes answered approvals when both the organization and the audit log say so, and leaves an audit entry', async () => {
  const admin = await app.user({ org: 'Keepers' })
  const path = '/api/v1/approvals/retention'
  expect((await admin.get(path)).body).toEqual({ days: null, audit_log_days: null })
  expect(await admin.put(path, { days: 400 })).toMatchObject({
    status: 422,
    body: { code: 'approvals_kept_too_short', detail: expect.stringContaining('forever') },
  })
  const owner = await app.platformOwner()
  await owner.post('/api/v1/configs', { 'audit.retention_days': 100 })
  expect((await admin.put(path, { days: 99 })).body.detail).toContain('100 days')
  expect((await admin.put(path, { days: 120 })).body).toEqual({ days: 120, audit_log_days: 100 })
  expect((await admin.put(path, { days: null })).body.days).toBeNull()
  await admin.put(path, { days: 120 })

  const answered = (days: number, scopeId: string) => ({
    stepId: systemIds.next(),
    runId: systemIds.next(),
    workflowId: systemIds.next(),
    workflowName: 'W',
    scopeId,
    title: `${days}`,
    message: '',
    approvers: [],
    askedAt: daysAgo(days),
    answeredAt: daysAgo(days),
    approved: true,
  })
  const scopeId = admin.organizationId ?? ''
  const rows = [answered(119, scopeId), answered(121, scopeId), answered(500, scopeId), answered(500, systemIds.next())]
  await app.db.insertInto('approvals').values(rows).execute()
  const titles = async () =>
    (
      await app.db.selectFrom('approvals').select('title').where('workflowName', '=', 'W').orderBy('title').execute()
    ).map(({ title }) => title)
  // The audit log was prolonged after the organization chose.
  auditDays = 0
  await retain()
  expect(await titles()).toEqual(['119', '121', '500', '500'])
  auditDays = 300
  await retain()
  expect(await titles()).toEqual(['119', '121', '500'])
  auditDays = 100
  await retain()
  expect(await titles()).toEqual(['119', '500'])
  const entries = await app.db
    .selectFrom('auditLog')
    .select(['action', 'detail', 'actorKind'])
    .where('organizationId', '=', scopeId)
    .where('action', 'like', 'approval.%')
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'approval.retention', actorKind: 'user', detail: { days: 120, before: null } },
    { action: 'approval.retention', detail: { days: null, before: 120 } },
    { action: 'approval.retention', detail: { days: 120, before: null } },
    { action: 'approval.expire', actorKind: 'system', detail: { count: 1 } },
    { action: 'approval.expire', detail: { count: 1 } },
  ])
})
