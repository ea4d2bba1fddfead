import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'
import type { JobDefinition } from './jobs.ts'

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

/** The minutes for which the scheduler has fired; more than one only when a minute turned during the test. */
const minutesFired = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct singleton_on) from pgboss.job where name = '__pgboss__send-it'`.execute(nodes.db)
  return rows[0]?.count ?? 0
}

const isAllDone = async (): Promise<boolean> => {
  const states = await Promise.all([nodes.states('__pgboss__send-it'), nodes.states('greet')])
  return states.flat().every((state) => state === 'completed')
}

const lastCheckOfSchedules = async (): Promise<string> => {
  const { rows } = await sql<{ at: Date }>`select cron_on as at from pgboss.version`.execute(nodes.db)
  return String(rows[0]?.at.getTime())
}

/** Stores the schedules, so that the first check of a node finds them. */
const makeKnown = (jobs: readonly JobDefinition[]) => nodes.start(jobs, { role: 'api' })

/** A node checks when it starts, unless another has done so within the last second. */
const checkAgain = async (jobs: readonly JobDefinition[], times: number): Promise<void> => {
  for (let check = 0; check < times; check++) {
    await sql`update pgboss.version set cron_on = cron_on - interval '1 second'`.execute(nodes.db)
    const before = await lastCheckOfSchedules()
    await nodes.start(jobs)
    await until(async () => (await lastCheckOfSchedules()) !== before, 'another check of the schedules')
  }
}

describe('a schedule', () => {
  it('fires once for its minute, however many nodes there are', async () => {
    const { job, runs } = recordingJob('greet', { timetable: { cron: '* * * * *', data: { name: 'Ana' } } })
    await makeKnown([job])
    await Promise.all([nodes.start([job]), nodes.start([job]), nodes.start([job])])

    await until(() => runs.length > 0)
    await checkAgain([job], 3)
    await until(isAllDone)
    // A job sent a moment after its minute stands for the next as well.
    expect(runs.length).toBeLessThanOrEqual(await minutesFired())
    expect(runs[0]?.data).toEqual({ name: 'Ana' })
  })

  it('means the clock of its time zone', async () => {
    const cron = cronForNow('Asia/Tokyo')
    const inZone = (name: string, timezone: string) =>
      recordingJob(name, { timetable: { cron, timezone, data: { name } } })
    const [there, here] = [inZone('there', 'Asia/Tokyo'), inZone('here', 'America/Lima')]
    await makeKnown([there.job, here.job])
    await nodes.start([there.job, here.job])

    await until(() => there.runs.length > 0)
    await checkAgain([there.job, here.job], 2)
    expect(here.runs).toEqual([])
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
