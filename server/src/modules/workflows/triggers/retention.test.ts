/** Records of due times: kept for a month, then let go. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { workflowsPath as base, makeWorkflow } from '#test/harness/workflows.ts'
import { fireRetentionJob } from './retention.ts'

const app = await sharedApp()
const ana = await app.user()

it('lets the records of due times go after a month, and no younger one', async () => {
  const { id } = await makeWorkflow(ana)
  const cron = { name: 'Often', cron: '* * * * *', enabled: false }
  const { body: trigger } = await ana.post(`${base}/${id}/triggers/cron`, cron)
  const now = app.clock.now()
  // Every 20 minutes for 60 days, which is more than two batches of old ones.
  await sql`insert into cron_fires (trigger_id, due_at, fired_at)
    select ${trigger.id}, due_at, due_at from generate_series(${now}::timestamptz - interval '60 days',
      ${now}::timestamptz - interval '20 minutes', interval '20 minutes') due_at`.execute(app.db)
  const listFires = () =>
    app.db.selectFrom('cronFires').select('dueAt').where('triggerId', '=', trigger.id).orderBy('dueAt').execute()
  expect(await listFires()).toHaveLength(60 * 72)

  const signal = AbortSignal.timeout(60_000)
  const job = fireRetentionJob({ clock: { now: () => now }, db: app.db })
  await job.work({}, { jobId: 'by hand', attempt: 1, signal, log: createLog('silent') })

  const left = await listFires()
  expect(left).toHaveLength(30 * 72)
  expect(left[0]?.dueAt).toEqual(new Date(now.getTime() - 30 * 86_400_000))
})
