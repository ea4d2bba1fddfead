/** P10: a job that ended its server three times is held back, not tried again. Real processes, killed with kill -9. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { letTheHeartbeatLapse, lookForDeadWorkers } from '#test/kernel/lapsed-heartbeats.ts'
import { recordingJob } from '#test/kernel/recording-job.ts'
import { until } from '#test/kernel/until.ts'
import { ClaimedElsewhere } from './jobs.ts'

const nodes = useJobNodes()

/** Starts a server that the job kills, and lets the others find that out. */
const die = async (how: { company?: boolean; retryLimit?: number } = {}): Promise<void> => {
  const script = fileURLToPath(import.meta.resolve('#test/kernel/job-killer.ts'))
  const killer = spawn(process.execPath, [script, nodes.url, JSON.stringify(how)], { stdio: 'inherit' })
  const [, signal] = await once(killer, 'exit')
  expect(signal).toBe('SIGKILL')
  await letTheHeartbeatLapse(nodes)
  await lookForDeadWorkers(nodes)
}

const by = { kind: 'admin', id: '0199a000-0000-7000-8000-000000000001', name: 'Ada', organizationId: null } as never
const from = { ip: '127.0.0.1', userAgent: null, requestId: 'r1' }
const allDone = async () => (await nodes.states('greet')).every((state) => state === 'completed')
const held = async () => (await nodes.heldBack.list(nodes.db, { page: 1, limit: 10 })).items

describe('a job that kills its server', () => {
  it('is not run a fourth time, while the others of its queue go on, and runs again when it is released', async () => {
    const { job, runs } = recordingJob('greet', { retryLimit: 60 })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'deadly' })
    for (let death = 1; death <= 3; death += 1) await die()
    await api.enqueue(nodes.db, job, { name: 'Ana' })

    await nodes.start([job], { role: 'worker' })
    await until(allDone)
    expect(runs.map(({ data }) => data.name)).toEqual(['Ana'])
    expect(await held()).toMatchObject([
      { kind: 'job', claims: 3, reason: 'This ended the server three times.', what: 'greet', canDelete: true },
    ])

    const [{ id } = { id: '' }] = await held()
    await nodes.heldBack.release(nodes.db, { kind: 'job', id, by, from })
    await until(() => runs.length === 2)
    expect(runs.at(1)?.data).toEqual({ name: 'deadly' })
    expect(await held()).toEqual([])
  }, 120_000)

  it('is not run under another id either: a sweep that enqueues the same work gets nowhere', async () => {
    const { job, runs } = recordingJob('greet', { retryLimit: 60 })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'deadly' })
    for (let death = 1; death <= 3; death += 1) await die()
    await nodes.start([job], { role: 'worker' })
    for (let copy = 1; copy <= 3; copy += 1) {
      await api.enqueue(nodes.db, job, { name: 'deadly' })
      await until(allDone)
    }
    expect(await nodes.states('greet')).toEqual(Array(4).fill('completed'))
    expect(runs.map(({ data }) => data.name)).toEqual([])
    expect(await held()).toHaveLength(1)
  }, 120_000)

  it('is told from those that were only there: none of them is held back', async () => {
    const { job, runs } = recordingJob('greet', { retryLimit: 60 })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'deadly' })
    await api.enqueue(nodes.db, job, { name: 'patient' })
    for (let death = 1; death <= 3; death += 1) await die({ company: true })

    await nodes.start([job], { role: 'worker' })
    await until(allDone)
    expect(runs.map(({ data }) => data.name)).not.toContain('deadly')
    const digests = await nodes.db.selectFrom('jobDeaths').select('data').execute()
    expect(digests).toEqual([{ data: { name: 'deadly' } }])
    expect(await held()).toHaveLength(1)
  }, 120_000)

  it('is held back too where each death was its last attempt, instead of lying among the dead letters', async () => {
    const { job } = recordingJob('greet', { retryLimit: 0 })
    const api = await nodes.start([job], { role: 'api' })
    const worker = await nodes.start([job], { role: 'worker' })
    const failed = async () =>
      (await worker.listFailed(nodes.db, { page: 1, limit: 10 })).items.map(({ error }) => error)
    await worker.stop({ drainMs: 100 })
    for (let death = 1; death <= 3; death += 1) {
      await api.enqueue(nodes.db, job, { name: 'deadly' })
      await die({ retryLimit: 0 })
    }
    expect(await failed()).toHaveLength(3)
    await nodes.start([job], { role: 'worker' })
    await until(async () => (await held()).length === 1)
    expect(await failed()).toEqual(['The server ended while it ran.', 'The server ended while it ran.'])
  }, 120_000)
})

describe('a job that was there when its server ended', () => {
  it('keeps its count when an attempt only finds the work claimed, by the dead server perhaps', async () => {
    const { job, runs } = recordingJob('greet', {
      retryLimit: 60,
      handle: () => Promise.reject(new ClaimedElsewhere('claimed')),
    })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'deadly' })
    for (let death = 1; death <= 3; death += 1) {
      await die()
      if (death === 3) break
      const before = runs.length
      const node = await nodes.start([job], { role: 'worker' })
      await until(() => runs.length > before)
      await node.stop({ drainMs: 1000 })
      await until(async () => (await nodes.states('greet'))[0] === 'retry')
    }
    const before = runs.length
    await nodes.start([job], { role: 'worker' })
    await until(allDone)
    expect(runs.length).toBe(before)
    expect(await held()).toHaveLength(1)
  }, 120_000)

  it('begins a new count once an attempt ends by itself, even by failing', async () => {
    const outcomes = ['fails']
    const { job, runs } = recordingJob('greet', {
      retryLimit: 60,
      handle: () => (outcomes.shift() ? Promise.reject(new Error('no')) : Promise.resolve()),
    })
    const api = await nodes.start([job], { role: 'api' })
    await api.enqueue(nodes.db, job, { name: 'deadly' })
    await die()
    await die()
    await nodes.start([job], { role: 'worker' })
    await until(() => runs.length === 2)
    await until(async () => (await nodes.states('greet'))[0] === 'completed')
    expect(await held()).toEqual([])
    expect(await nodes.db.selectFrom('jobDeaths').select('job').execute()).toEqual([])
  }, 120_000)
})
