import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { type Greeting, recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'

const nodes = useJobNodes()

/** Due this minute and the next in that zone, so that the turn of a minute cannot spoil the test. */
const cronForNow = (timeZone: string): string => {
  const parts = [0, 60_000].map((aheadMs) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
    return format
      .format(Date.now() + aheadMs)
      .split(':')
      .map(Number)
  })
  const [minutes, hours] = [parts.map(([, minute]) => minute), parts.map(([hour]) => hour)]
  return `${[...new Set(minutes)].join()} ${[...new Set(hours)].join()} * * *`
}

/** How many minutes the scheduler has fired for; more than one only when a minute turned during the test. */
const minutesFired = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct singleton_on) from pgboss.job where name = '__pgboss__send-it'`.execute(nodes.db)
  return rows[0]?.count ?? 0
}

const looksOfTheScheduler = async (): Promise<string> => {
  const { rows } = await sql<{ at: Date }>`select cron_on as at from pgboss.version`.execute(nodes.db)
  return String(rows[0]?.at.getTime())
}

const letTheSchedulerLookAgain = async (times: number): Promise<void> => {
  for (let look = 0; look < times; look++) {
    const before = await looksOfTheScheduler()
    await until(async () => (await looksOfTheScheduler()) !== before, 'another look at the schedules')
  }
}

describe('a schedule', () => {
  it('fires once for its minute, however many nodes there are', async () => {
    const { job, runs } = recordingJob('greet')
    const [first] = await Promise.all([nodes.start([job]), nodes.start([job]), nodes.start([job])])
    await first.schedule(nodes.db, job, { key: 'morning', cron: '* * * * *', timezone: 'UTC', data: { name: 'Ana' } })

    await until(() => runs.length > 0)
    await letTheSchedulerLookAgain(3)
    await until(async () => runs.length === (await minutesFired()))
    expect(runs[0]?.data).toEqual({ name: 'Ana' })
  })

  it('means the clock of its time zone', async () => {
    const { job, runs } = recordingJob('greet')
    const jobs = await nodes.start([job])
    const schedule = (key: string, timezone: string) =>
      jobs.schedule(nodes.db, job, { key, cron: cronForNow('Asia/Tokyo'), timezone, data: { name: timezone } })
    await schedule('here', 'America/Lima')
    await schedule('there', 'Asia/Tokyo')

    await until(() => runs.length > 0)
    await letTheSchedulerLookAgain(2)
    expect(new Set(runs.map(({ data }) => data.name))).toEqual(new Set(['Asia/Tokyo']))
  })

  it('belongs to the transaction that makes it, and is replaced under the same key', async () => {
    const { job } = recordingJob('greet')
    const jobs = await nodes.start([job], { role: 'api' })
    const nightly = (cron: string) => ({ key: 'ana', cron, timezone: 'Europe/Berlin', data: { name: 'Ana' } })
    await jobs.schedule(nodes.db, job, nightly('0 1 * * *'))
    const undone = nodes.db.transaction().execute(async (tx) => {
      await jobs.schedule(tx, job, nightly('0 2 * * *'))
      await jobs.schedule(tx, job, { ...nightly('0 2 * * *'), key: 'ben' })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    const crons = async () =>
      (await sql<{ cron: string }>`select cron from pgboss.schedule where name = 'greet'`.execute(nodes.db)).rows

    expect(await crons()).toEqual([{ cron: '0 1 * * *' }])
    await jobs.schedule(nodes.db, job, nightly('0 3 * * *'))
    expect(await crons()).toEqual([{ cron: '0 3 * * *' }])
    await jobs.unschedule(nodes.db, job, 'ana')
    expect(await crons()).toEqual([])
  })

  it('is refused with a broken expression, an unknown zone or data that does not fit', async () => {
    const { job } = recordingJob('greet')
    const jobs = await nodes.start([job], { role: 'api' })
    const good = { key: 'ana', cron: '0 1 * * *', timezone: 'UTC', data: { name: 'Ana' } }

    await expect(jobs.schedule(nodes.db, job, { ...good, cron: 'at noon' })).rejects.toThrow()
    await expect(jobs.schedule(nodes.db, job, { ...good, timezone: 'Mars/Olympus' })).rejects.toThrow()
    await expect(jobs.schedule(nodes.db, job, { ...good, data: {} as Greeting })).rejects.toThrow()
  })

  it('comes with the job when it has a timetable, follows its changes and goes with it', async () => {
    const timetable = (cron: string) => ({ cron, timezone: 'Europe/Paris', data: { name: 'Nightly' } })
    const table = async () =>
      (await sql`select cron, timezone from pgboss.schedule where name = 'greet'`.execute(nodes.db)).rows

    await nodes.start([recordingJob('greet', { timetable: timetable('0 3 * * *') }).job], { role: 'api' })
    expect(await table()).toEqual([{ cron: '0 3 * * *', timezone: 'Europe/Paris' }])
    await nodes.start([recordingJob('greet', { timetable: timetable('0 4 * * *') }).job], { role: 'api' })
    expect(await table()).toEqual([{ cron: '0 4 * * *', timezone: 'Europe/Paris' }])
    await nodes.start([recordingJob('greet').job], { role: 'api' })
    expect(await table()).toEqual([])
  })
})
