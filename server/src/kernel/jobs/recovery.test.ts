import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { letTheHeartbeatLapse, lookForDeadWorkers } from '#test/kernel/lapsed-heartbeats.ts'
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
    await lookForDeadWorkers(nodes)
    expect(await nodes.states('greet')).toEqual(['active'])
    expect(runs).toEqual([])

    await letTheHeartbeatLapse(nodes)
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
    await letTheHeartbeatLapse(nodes)

    const failed = async () => (await worker.listFailed(nodes.db, { page: 1, limit: 10 })).items
    const error = 'The server ended while it ran.'
    await until(async () => (await failed())[0]?.error === error)
    expect(await failed()).toMatchObject([{ job: 'greet', data: { name: 'Ana' }, error, attempts: 1 }])
    expect(runs).toEqual([])
  })
})
