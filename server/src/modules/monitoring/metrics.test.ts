import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const token = 'a token for the scraper'
// A collector that nobody runs: its metrics are there with it.
const env = { METRICS_TOKEN: token, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
const app = await testApp({ env, ownChildren: true })
afterAll(app.stop)

const scrape = async (): Promise<string> => {
  const reply = await app.anonymous.get('/metrics', { authorization: `Bearer ${token}` })
  expect(reply.status).toBe(200)
  return reply.text
}
const readSeries = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? Number.NaN,
  )

describe('GET /metrics', () => {
  it('is open to the scrape token and to the platform admin, and to nobody else', async () => {
    const owner = await app.platformOwner()
    const person = await app.user()
    expect((await owner.get('/metrics')).status).toBe(200)
    expect((await person.get('/metrics')).status).toBe(403)
    expect((await app.anonymous.get('/metrics')).status).toBe(401)
    for (const wrong of [`${token}x`, token.slice(0, -1), '', 'x'.repeat(600)]) {
      const reply = await app.anonymous.get('/metrics', { authorization: `Bearer ${wrong}` })
      expect(reply.status).toBe(401)
    }
    const inQuery = await app.anonymous.get(`/metrics?token=${encodeURIComponent(token)}`)
    expect(inQuery.status).toBe(401)
  })

  it('is closed to every bearer where no token is set', async () => {
    const without = await sharedApp()
    const reply = await without.anonymous.get('/metrics', { authorization: 'Bearer undefined' })
    expect(reply.status).toBe(401)
  })

  it('counts requests by area and status, also those that fail or have no route', async () => {
    const person = await app.user()
    const me = 'chancery_http_requests_total{method="GET",area="auth",status="200"}'
    const refused = 'chancery_http_requests_total{method="GET",area="auth",status="401"}'
    const nothing = 'chancery_http_requests_total{method="GET",area="none",status="404"}'
    const before = await scrape()
    const had = (series: string) => readSeries(before, series) || 0
    await person.get('/api/auth/me')
    await person.get('/api/auth/me')
    await app.anonymous.get('/api/auth/me')
    await person.get('/api/v1/no-such-route')
    const after = await scrape()
    expect(readSeries(after, me)).toBe(had(me) + 2)
    expect(readSeries(after, refused)).toBe(had(refused) + 1)
    expect(readSeries(after, nothing)).toBe(had(nothing) + 1)
    const count = 'chancery_http_request_duration_seconds_count{area="auth"}'
    expect(readSeries(after, count)).toBe(had(count) + 3)
  })

  it('shows the pool, queues, events, runs, streams, children, the event loop and memory', async () => {
    const text = await scrape()
    for (const series of [
      'chancery_database_pool_connections{state="idle"}',
      'chancery_database_bytes',
      'chancery_database_connections{state="used"}',
      'chancery_database_longest_statement_seconds',
      'chancery_stored_bytes{kind="files"}',
      'chancery_events_waiting',
      'chancery_event_lag_seconds',
      'chancery_event_stream_wait_seconds',
      'chancery_completion_streams_open',
      'chancery_sockets_open',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ])
      expect(readSeries(text, series), series).toBeGreaterThanOrEqual(0)
    for (const family of [
      'chancery_job_attempts_total',
      'chancery_job_queue_depth',
      'chancery_job_queue_age_seconds',
      'chancery_runs',
      'chancery_runs_ended_total',
      'chancery_model_tokens_total',
      'chancery_provider_first_byte_seconds',
      'chancery_provider_failures_total',
      'chancery_task_failures_total',
      'chancery_child_processes',
    ])
      expect(text).toContain(`# TYPE ${family} `)
  })

  it('has every metric that the alert rules and the dashboard name', async () => {
    const shown = new Set([...(await scrape()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
    // Apps of tests share their threads, watch no loop, and have no others to be added up with.
    for (const name of ['processes', 'computations_total', 'loop_late_seconds', 'loop_blocks_total'])
      shown.add(`chancery_${name}`)
    const folder = new URL('../../../../deploy/observability/', import.meta.url)
    const files = ['alerts.yaml', 'dashboard.json'].map((file) => readFile(new URL(file, folder), 'utf8'))
    const names = (await Promise.all(files)).join().match(/\b(?:chancery|process|nodejs)_\w+/g) ?? []
    const named = new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))
    expect(named.size).toBeGreaterThan(35)
    expect([...named].filter((name) => !shown.has(name))).toEqual([])
  })

  it('tells how much waits in a queue, and for how long', async () => {
    const idle = await testApp({ env: { METRICS_TOKEN: token, SVC_ROLE: 'api' } })
    await sql`
      insert into pgboss.job (name, data, start_after)
      select name, '{}', now() + late from (select name from pgboss.queue where name <> 'jobs.dead' order by name limit 1) q,
        unnest(array[interval '-90 seconds', interval '-10 seconds', interval '1 hour']) late`.execute(idle.db)
    const reply = await idle.anonymous.get('/metrics', { authorization: `Bearer ${token}` })
    const [depth] = reply.text.match(/^chancery_job_queue_depth\{.*$/m) ?? []
    const [age] = reply.text.match(/^chancery_job_queue_age_seconds\{.*$/m) ?? []
    expect(depth).toMatch(/ 2$/)
    expect(Number(age?.split(' ').at(-1))).toBeGreaterThanOrEqual(90)
    await idle.stop()
  })
})
