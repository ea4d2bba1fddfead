import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterEach, describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'

const nodes = useJobNodes()
const victims: ChildProcess[] = []

afterEach(() => {
  for (const victim of victims.splice(0)) victim.kill('SIGKILL')
})

/** A worker in a process of its own that has taken the one waiting job. */
const victimHoldingTheJob = async (): Promise<ChildProcess> => {
  const script = fileURLToPath(import.meta.resolve('#test/kernel/job-victim.ts'))
  const victim = spawn(process.execPath, [script, nodes.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  victims.push(victim)
  const [output] = await once(victim.stdout, 'data')
  expect(String(output)).toContain('taken')
  return victim
}

/** Moves the dead worker's last heartbeat into the past, instead of waiting twenty seconds for it to expire. */
const letTheHeartbeatLapse = () =>
  sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(nodes.db)

/** Nodes look for dead workers once a second between them: the next one to try may look at once. */
const letTheNextLook = () =>
  sql`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`.execute(nodes.db)

/** Looks for dead workers as every node does, and ends when it has looked. */
const lookForDeadWorkers = async (): Promise<void> => {
  const boss = new PgBoss({ connectionString: nodes.url, supervise: false, schedule: false, migrate: false, max: 1 })
  await boss.start()
  await letTheNextLook()
  await boss.supervise('greet')
  await boss.stop({ graceful: false })
  await letTheNextLook()
}

describe('a worker that is killed in the middle of a job', () => {
  it('has its job finished by another node once the heartbeat has lapsed, and not before', async () => {
    const { job, runs } = recordingJob('greet')
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'Ana' })
    const victim = await victimHoldingTheJob()
    await nodes.start([job], { role: 'worker' })

    const gone = once(victim, 'exit')
    victim.kill('SIGKILL')
    await gone
    await lookForDeadWorkers()
    expect(await nodes.states('greet')).toEqual(['active'])
    expect(runs).toEqual([])

    await letTheHeartbeatLapse()
    await until(async () => (await nodes.states('greet'))[0] === 'completed')
    expect(runs.map(({ data, context }) => [data.name, context.attempt])).toEqual([['Ana', 2]])
  })

  it('leaves its job among the dead letters when no attempt is left', async () => {
    const { job, runs } = recordingJob('greet', { retryLimit: 0 })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'Ana' })
    const victim = await victimHoldingTheJob()
    const worker = await nodes.start([job], { role: 'worker' })
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    await letTheHeartbeatLapse()

    await until(async () => (await worker.listFailed(nodes.db, { page: 1, limit: 10 })).total === 1)
    const { items } = await worker.listFailed(nodes.db, { page: 1, limit: 10 })
    expect(items).toMatchObject([{ job: 'greet', data: { name: 'Ana' }, error: 'job heartbeat timeout', attempts: 1 }])
    expect(runs).toEqual([])
  })
})
