import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { jobsOn } from '#test/kernel/jobs-on.ts'
import { type Greeting, recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'
import { createDb } from '../db/database.ts'
import { createLog } from '../log.ts'
import { defineJob, PermanentFailure } from './jobs.ts'

const nodes = useJobNodes()
const never = 3600

describe('enqueueing', () => {
  it('runs the job once the transaction has committed, with its data, id and the first attempt', async () => {
    const { job, runs } = recordingJob('greet')
    const jobs = await nodes.start([job])
    const id = await nodes.db.transaction().execute((tx) => jobs.enqueue(tx, job, { name: 'Ana' }))

    await until(() => runs.length === 1)
    expect(runs[0]).toMatchObject({ data: { name: 'Ana' }, context: { jobId: id, attempt: 1 } })
    await until(async () => (await nodes.states('greet'))[0] === 'completed')
  })

  it('leaves no job when the transaction rolls back', async () => {
    const { job, runs } = recordingJob('greet')
    const jobs = await nodes.start([job])
    const undone = nodes.db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, job, { name: 'Ghost' })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })

    await until(() => runs.length === 1)
    expect(runs[0]?.data.name).toBe('Ana')
    expect(await nodes.states('greet')).toHaveLength(1)
  })

  it('wakes an idle worker of another node by notification, without waiting for a poll', async () => {
    const { job, runs } = recordingJob('greet')
    const api = await nodes.start([job], { role: 'api' })
    await nodes.start([job], {
      role: 'worker',
      timing: { pollSec: never, cronSec: 45, superviseSec: 60, nextSlotSec: 1 },
    })

    for (const name of ['Ana', 'Ben', 'Cem', 'Dia']) {
      await api.enqueue(nodes.db, job, { name })
      await until(() => runs.at(-1)?.data.name === name)
      await until(async () => (await nodes.states('greet')).every((state) => state === 'completed'))
      await sleep(50)
    }
    expect(runs).toHaveLength(4)
  })

  it('works off a backlog without waiting for polls in between', async () => {
    const { job, runs } = recordingJob('greet', { concurrency: 1 })
    const api = await nodes.start([job], { role: 'api' })
    for (let number = 0; number < 50; number++) await api.enqueue(nodes.db, job, { name: `guest ${number}` })
    await nodes.start([job], {
      role: 'worker',
      timing: { pollSec: never, cronSec: 45, superviseSec: 60, nextSlotSec: 1 },
    })

    await until(() => runs.length === 50)
    expect(new Set(runs.map(({ data }) => data.name)).size).toBe(50)
  })

  it('runs another group’s job while the first group’s wait for their turn', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const { job, runs } = recordingJob('greet', {
      concurrency: 3,
      perGroup: 1,
      handle: async ({ name }) => (name === 'slow' ? isOver : undefined),
    })
    const jobs = await nodes.start([job])
    const namesRun = () => runs.map(({ data }) => data.name)
    for (let count = 0; count < 4; count++) await jobs.enqueue(nodes.db, job, { name: 'slow' }, { group: 'one' })
    await jobs.enqueue(nodes.db, job, { name: 'quick' }, { group: 'other' })
    await jobs.enqueue(nodes.db, job, { name: 'nobody’s' })
    await until(() => runs.length === 3)
    expect(namesRun().toSorted()).toEqual(['nobody’s', 'quick', 'slow'])
    end()
    await until(() => runs.length === 6)
  })

  it('runs as many jobs at once as the job allows, and no more', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let [running, most] = [0, 0]
    const job = defineJob({
      name: 'together',
      data: z.object({}),
      concurrency: 3,
      handle: async () => {
        running += 1
        most = Math.max(most, running)
        await isOver
        running -= 1
      },
    })
    const jobs = await nodes.start([job])
    for (let number = 0; number < 5; number++) await jobs.enqueue(nodes.db, job, {})
    await until(() => running === 3)
    end()
    await until(async () => (await nodes.states('together')).every((state) => state === 'completed'))
    expect(most).toBe(3)
  })

  it('takes one job of a backlog first, and more at once as they end', async () => {
    const open: (() => void)[] = []
    let most = 0
    const { job } = recordingJob('greet', {
      concurrency: 8,
      handle: async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        most = Math.max(most, open.push(resolve))
        await promise
        open.splice(open.indexOf(resolve), 1)
      },
    })
    const api = await nodes.start([job], { role: 'api' })
    for (let number = 0; number < 16; number++) await api.enqueue(nodes.db, job, { name: `guest ${number}` })
    const timing = { pollSec: 0.1, cronSec: 45, superviseSec: 60, nextSlotSec: never }
    await nodes.start([job], { role: 'worker', timing })
    const mostAfterEach: number[] = []
    for (const width of [1, 2, 3]) {
      await until(() => open.length === width)
      await until(async () => (await nodes.states('greet')).filter((state) => state === 'active').length === width)
      mostAfterEach.push(most)
      open[0]?.()
    }
    expect(mostAfterEach).toEqual([1, 2, 3])
    const finishing = setInterval(() => {
      for (const end of open) end()
    }, 5)
    await until(async () => (await nodes.states('greet')).every((state) => state === 'completed'))
    clearInterval(finishing)
  })

  it('opens the next slot of a queue after a while, though its first job takes long', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const { job, runs } = recordingJob('greet', { concurrency: 2, handle: () => isOver })
    const jobs = await nodes.start([job])
    for (const name of ['Ana', 'Bob']) await jobs.enqueue(nodes.db, job, { name })
    await until(() => runs.length === 2)
    end()
  })

  it('needs no connection beyond the one of the transaction', async () => {
    const pool = nodes.openPool(1)
    const { job } = recordingJob('brand-new')
    const log = createLog('silent')
    const { jobs } = jobsOn(pool, { log, role: 'api' })
    jobs.register(job)
    await jobs.start()
    const id = await createDb(pool)
      .transaction()
      .execute((tx) => jobs.enqueue(tx, job, { name: 'Ana' }))
    await jobs.stop({ drainMs: 10 })
    await pool.end()

    expect(id).not.toBeNull()
  })

  it('refuses data that does not fit and stores nothing', async () => {
    const { job } = recordingJob('greet')
    const jobs = await nodes.start([job])

    await expect(jobs.enqueue(nodes.db, job, { name: 7 } as unknown as Greeting)).rejects.toThrow(z.ZodError)
    expect(await nodes.states('greet')).toEqual([])
  })

  it('keeps only what the schema names', async () => {
    const { job, runs } = recordingJob('greet')
    const jobs = await nodes.start([job])
    const withExtra: Greeting & { password: string } = { name: 'Ana', password: 'hunter2' }
    await jobs.enqueue(nodes.db, job, withExtra)

    await until(() => runs.length === 1)
    const { rows } = await sql<{ text: string }>`select data::text as text from pgboss.job`.execute(nodes.db)
    expect(rows.map(({ text }) => text).join()).not.toContain('hunter2')
  })

  it('does not work jobs on a node that only enqueues', async () => {
    const { job, runs } = recordingJob('greet')
    const api = await nodes.start([job], {
      role: 'api',
      timing: { pollSec: 0.02, cronSec: 1, superviseSec: 1, nextSlotSec: 1 },
    })
    await api.enqueue(nodes.db, job, { name: 'Ana' })
    // Time for ten checks.
    await sleep(200)

    expect(runs).toEqual([])
    expect(await nodes.states('greet')).toEqual(['created'])
  })

  it('holds a job back until its time, and takes the more urgent of two first', async () => {
    const { job, runs } = recordingJob('greet', { concurrency: 1 })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'tomorrow' }, { startAfter: new Date(Date.now() + 86_400_000) })
    await api.enqueue(nodes.db, job, { name: 'usual' })
    await api.enqueue(nodes.db, job, { name: 'urgent' }, { priority: 10 })
    await nodes.start([job], { role: 'worker' })

    await until(() => runs.length >= 2)
    expect(runs.map(({ data }) => data.name)).toEqual(['urgent', 'usual'])
    expect(await nodes.states('greet')).toContain('created')
  })

  it('makes no second exclusive job of the same key, until the first has ended', async () => {
    const gate = Promise.withResolvers<void>()
    const { job, runs } = recordingJob('greet', { policy: 'exclusive', handle: () => gate.promise })
    const jobs = await nodes.start([job])
    const enqueue = () => jobs.enqueue(nodes.db, job, { name: 'Ana' }, { singletonKey: 'ana' })
    const ids = await Promise.all([enqueue(), enqueue(), enqueue()])
    await until(() => runs.length === 1)
    const whileRunning = await enqueue()
    gate.resolve()
    await until(async () => (await nodes.states('greet')).every((state) => state === 'completed'))

    expect(ids.filter((id) => id !== null)).toHaveLength(1)
    expect(whileRunning).toBeNull()
    expect(await enqueue()).not.toBeNull()
  })
})

describe('failing', () => {
  it('is retried with rising attempts until it succeeds', async () => {
    const { job, runs } = recordingJob('flaky', {
      handle: async (_data, { attempt }) => {
        if (attempt < 3) throw new Error(`attempt ${attempt} fails`)
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })

    await until(async () => (await nodes.states('flaky'))[0] === 'completed')
    expect(runs.map(({ context }) => context.attempt)).toEqual([1, 2, 3])
    expect((await jobs.listFailed(nodes.db, { page: 1, limit: 10 })).total).toBe(0)
  })

  it('delays each retry longer than the last when told to back off', async () => {
    const { job } = recordingJob('slow', {
      retryDelaySec: 60,
      retryBackoff: true,
      handle: async () => {
        throw new Error('no')
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })
    await until(async () => (await nodes.states('slow'))[0] === 'retry')
    const { rows } = await sql<{ waitSec: number }>`
      select extract(epoch from start_after - now())::int as wait_sec from pgboss.job where name = 'slow'`.execute(
      nodes.db,
    )

    expect(rows[0]?.waitSec).toBeGreaterThan(25)
  })

  it('ends among the dead letters after its last attempt, with the error, and can be tried again from there', async () => {
    let isMended = false
    const { job, runs } = recordingJob('doomed', {
      retryLimit: 1,
      handle: async () => {
        if (!isMended) throw new Error('the printer is on fire')
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })
    await until(async () => (await jobs.listFailed(nodes.db, { page: 1, limit: 10 })).total === 1)
    const { items } = await jobs.listFailed(nodes.db, { page: 1, limit: 10 })

    expect(items).toMatchObject([
      {
        job: 'doomed',
        data: { name: 'Ana' },
        error: 'the printer is on fire',
        attempts: 2,
        failedAt: expect.any(Date),
      },
    ])
    expect(nodes.logLines.join()).toContain('failed permanently')

    isMended = true
    expect(await jobs.retryFailed(nodes.db, items[0]?.id ?? '')).toBe(true)
    await until(() => runs.length === 3)
    expect((await jobs.listFailed(nodes.db, { page: 1, limit: 10 })).total).toBe(0)
    expect(await jobs.retryFailed(nodes.db, items[0]?.id ?? '')).toBe(false)
  })

  it('is not repeated when the handler says that it is no use', async () => {
    const { job, runs } = recordingJob('hopeless', {
      handle: async () => {
        throw new PermanentFailure('the address does not exist')
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })

    await until(async () => (await jobs.listFailed(nodes.db, { page: 1, limit: 10 })).total === 1)
    expect(runs).toHaveLength(1)
  })

  it('is not repeated when the stored data no longer fits the job of this release', async () => {
    const former = defineJob({ name: 'greet', data: z.object({ nickname: z.string() }), handle: async () => undefined })
    const api = await nodes.start([former], { role: 'api' })
    await api.enqueue(nodes.db, former, { nickname: 'Annie' })
    const { job, runs } = recordingJob('greet', { retryDelaySec: 2, retryBackoff: true })
    const jobs = await nodes.start([job])

    await until(async () => (await jobs.listFailed(nodes.db, { page: 1, limit: 10 })).total === 1)
    expect(runs).toEqual([])
  })

  it('aborts the signal of a handler that takes longer than it may, and retries', async () => {
    const heard: string[] = []
    const { job, runs } = recordingJob('endless', {
      expireInSec: 1,
      handle: async (_data, { attempt, signal }) => {
        if (attempt > 1) return
        await once(signal, 'abort')
        heard.push('abort')
      },
    })
    const jobs = await nodes.start([job])
    await jobs.enqueue(nodes.db, job, { name: 'Ana' })

    await until(async () => (await nodes.states('endless'))[0] === 'completed')
    expect(runs).toHaveLength(2)
    expect(heard).toEqual(['abort'])
  })
})
