/** SIGTERM during a run: the current node finishes, no new one starts, and the next start continues the run. */
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import { testApp } from '#test/harness/app.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { publish } from '#test/harness/runs.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { startSite } from '#test/peers/site.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const held = new Map<string, ServerResponse>()
const site = await startSite(({ path }, response) => {
  if (path === '/bill') response.end('{"sent":true}')
  else held.set(path, response)
})
const database = await cloneDatabase()
const pool = database.openPool(2)
const db = createDb(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
  await site.close()
})

const call = (id: string) =>
  node(id, { method: 'POST', url: `${site.origin}/${id}`, retry: { max_attempts: 1 } }, 'http_request')
const graph = {
  nodes: [call('order'), node('note'), call('bill')],
  edges: [edge('order', 'note'), edge('note', 'bill')],
}

const app = await testApp({ databaseUrl: database.url })
const ana = await app.user()
const ordering = await publish(ana, graph)
const waiting = await publish(ana, { nodes: [call('never')], edges: [] })
await app.stop()

const command = [process.execPath, fileURLToPath(new URL('stops-soon.ts', import.meta.url))]
const env = { ...testSecrets, DATABASE_URL: database.url, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const isHeld = (path: string) => vi.waitFor(() => expect(held.has(path)).toBe(true), { timeout: 20_000 })
const startRun = async (address: string, workflowId: string): Promise<string> => {
  const headers = { authorization: `Bearer ${ana.token}` }
  const reply = await fetch(`${address}${workflowsPath}/${workflowId}/runs`, { method: 'POST', headers })
  return ((await reply.json()) as { id: string }).id
}
const isRefused = (address: string) =>
  vi.waitFor(() => expect(fetch(`${address}/health`)).rejects.toThrow(), { timeout: 20_000 })
const stepsOf = (runId: string) =>
  db.selectFrom('runSteps').select(['nodeId', 'status', 'attempt']).where('runId', '=', runId).orderBy('id').execute()
const runOf = (runId: string) =>
  db.selectFrom('runs').select(['status', 'error']).where('id', '=', runId).executeTakeFirstOrThrow()

it('SIGTERM lets a node end that may be done once only, but does not wait for ever; the next start goes on', {
  timeout: 120_000,
}, async () => {
  const chancery = launchChancery({ dataDir: await tempFolder(), env, command })
  const address = await chancery.ready
  const ended = await startRun(address, ordering)
  const unknown = await startRun(address, waiting)
  await isHeld('/order')
  await isHeld('/never')

  const stopping = chancery.end('SIGTERM')
  await isRefused(address)
  held.get('/order')?.end('{"placed":true}')
  expect(await stopping).toBe(0)
  expect(await runOf(ended)).toMatchObject({ status: 'queued' })
  const done = { status: 'succeeded', attempt: 1 }
  expect(await stepsOf(ended)).toEqual([
    { nodeId: 'order', ...done },
    { nodeId: 'note', ...done },
  ])
  expect(await stepsOf(unknown)).toEqual([{ nodeId: 'never', status: 'running', attempt: 1 }])
  expect(site.requests.map(({ path }) => path).sort()).toEqual(['/never', '/order'])

  await testApp({ databaseUrl: database.url, env })
  await vi.waitFor(async () => expect(await runOf(ended)).toMatchObject({ status: 'succeeded' }), { timeout: 20_000 })
  await vi.waitFor(async () => expect(await runOf(unknown)).toMatchObject({ status: 'failed' }), { timeout: 20_000 })
  expect((await runOf(unknown)).error).toContain('only once')
  expect(site.requests.map(({ path }) => path).sort()).toEqual(['/bill', '/never', '/order'])
})

it('a second signal ends it at once, however long it would have waited', { timeout: 120_000 }, async () => {
  const chancery = launchChancery({ dataDir: await tempFolder(), env: { ...env, SVC_DRAIN_SECONDS: '3600' } })
  const address = await chancery.ready
  held.delete('/never')
  await startRun(address, waiting)
  await isHeld('/never')
  const ended = chancery.end('SIGTERM')
  await isRefused(address)
  void chancery.end('SIGINT')
  expect(await ended).toBe(130)
})
