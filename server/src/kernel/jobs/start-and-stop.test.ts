import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'

const nodes = useJobNodes()

describe('starting', () => {
  it('makes the schema once when many nodes start at the same moment on an empty database', async () => {
    await sql`drop schema if exists pgboss cascade`.execute(nodes.db)
    const { job, runs } = recordingJob('greet', { timetable: { cron: '0 3 * * *', data: { name: 'Nightly' } } })
    const four = [1, 2, 3, 4].map(() => nodes.make([job]))
    await Promise.all(four.map((jobs) => jobs.start()))
    await four[0]?.enqueue(nodes.db, job, { name: 'Ana' })

    await until(() => runs.length === 1)
    const { rows } = await sql<{ count: number }>`select count(*) from pgboss.schedule`.execute(nodes.db)
    expect(rows[0]?.count).toBe(1)
  })

  it('takes over changed options of a job that the database knows', async () => {
    await nodes.start([recordingJob('greet', { retryLimit: 1 }).job])
    await nodes.start([recordingJob('greet', { retryLimit: 7, heartbeatSec: 60 }).job])
    const { rows } = await sql`select retry_limit, heartbeat_seconds from pgboss.queue where name = 'greet'`.execute(
      nodes.db,
    )

    expect(rows).toEqual([{ retryLimit: 7, heartbeatSeconds: 60 }])
  })

  it('writes nothing when the database knows the jobs as they are', async () => {
    const { job } = recordingJob('greet', { timetable: { cron: '0 3 * * *', data: { name: 'Nightly' } } })
    const written = async () =>
      (
        await sql`select name, xmin::text from pgboss.queue union all select name, xmin::text from pgboss.schedule
        where name = 'greet'`.execute(nodes.db)
      ).rows
    await nodes.start([job], { role: 'api' })
    const before = await written()
    await nodes.start([job], { role: 'api' })

    expect(await written()).toEqual(before)
  })

  it('refuses to change the policy of a job that the database knows', async () => {
    await nodes.start([recordingJob('greet').job])
    const changed = nodes.make([recordingJob('greet', { policy: 'exclusive' }).job])

    await expect(changed.start()).rejects.toThrow('give the job a new name')
  })

  it('refuses two jobs of one name', () => {
    expect(() => nodes.make([recordingJob('greet').job, recordingJob('greet').job])).toThrow('Two jobs')
  })
})

describe('stopping', () => {
  it('waits for the running handler and takes no further job', async () => {
    const gate = Promise.withResolvers<void>()
    const wasAborted: boolean[] = []
    const { job, runs } = recordingJob('greet', {
      concurrency: 1,
      handle: async (_data, { signal }) => {
        await gate.promise
        wasAborted.push(signal.aborted)
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'running' })
    await jobs.enqueue(nodes.db, job, { name: 'waiting' })
    await until(() => runs.length === 1)

    const stopped = jobs.stop({ drainMs: 10_000 })
    await sleep(20)
    gate.resolve()
    await stopped

    expect(await nodes.states('greet')).toEqual(['completed', 'created'])
    expect(wasAborted).toEqual([false])
  })

  it('aborts the signal of a handler that outlasts the drain, and another node finishes the job', async () => {
    const heard: string[] = []
    const { job, runs } = recordingJob('greet', {
      handle: async (_data, { attempt, signal }) => {
        if (attempt > 1) return
        await once(signal, 'abort')
        heard.push('abort')
        throw new Error('stopped half way')
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })
    await until(() => runs.length === 1)
    await jobs.stop({ drainMs: 20 })
    expect(heard).toEqual(['abort'])

    await nodes.start([job])
    await until(async () => (await nodes.states('greet'))[0] === 'completed')
    expect(runs.map(({ context }) => context.attempt)).toEqual([1, 2])
  })

  it('gives up a handler that ignores its signal, and another node finishes the job', async () => {
    const { job, runs } = recordingJob('greet', {
      handle: async (_data, { attempt }) => {
        if (attempt === 1) await new Promise(() => undefined)
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })
    await until(() => runs.length === 1)
    await jobs.stop({ drainMs: 20, graceMs: 50 })
    await nodes.start([job])

    await until(async () => (await nodes.states('greet'))[0] === 'completed')
    expect(runs.map(({ context }) => context.attempt)).toEqual([1, 2])
  })

  it('may be stopped twice, and without ever having started', async () => {
    const jobs = nodes.make([recordingJob('greet').job])
    await jobs.stop({ drainMs: 10 })
    await jobs.start()
    await jobs.stop({ drainMs: 10 })
    await jobs.stop({ drainMs: 10 })
  })
})

describe('losing the database for a moment', () => {
  it('listens again after its connections were cut, and works on', async () => {
    const { job, runs } = recordingJob('greet')
    const jobs = await nodes.start([job], { timing: { pollSec: 3600, cronSec: 45, superviseSec: 60, nextSlotSec: 1 } })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(nodes.db)

    await until(async () => {
      await jobs.enqueue(nodes.db, job, { name: 'Ana' }).catch(() => undefined)
      return runs.length > 0
    })
    expect(nodes.logLines.join()).toContain('is lost; connecting again')
  })
})
