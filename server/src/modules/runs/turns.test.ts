/** Run slots have turns by tenant: a tenant with a thousand runs waits, and nobody else. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { finished, publish, runWhere, startByHand } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

const held: (() => void)[] = []
const site = await startSite(({ path }, response) => {
  if (path.startsWith('/slow')) held.push(() => response.end('late'))
  else response.end('ok')
})
atEnd(site.close)
const slots = 8
const app = await testApp({
  env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
  config: { SVC_RUN_SLOTS: slots },
  // Only where the time is moved is a call slow.
  timings: { slowCallMs: 600_000 },
})
const [ana, bo] = [await app.user(), await app.user()]
const get = (path: string) => ({ nodes: [node('get', { url: `${site.origin}/${path}` }, 'http_request')], edges: [] })
const countOf = (path: string) => site.requests.filter((request) => request.path === path).length
const active = async (scopeId: string, status: 'queued' | 'running') =>
  (await app.db.selectFrom('runs').select('id').where('scopeId', '=', scopeId).where('status', '=', status).execute())
    .length
const answerAll = async (scopeId: string): Promise<void> =>
  until(async () => {
    for (const answer of held.splice(0)) answer()
    return (await active(scopeId, 'queued')) + (await active(scopeId, 'running')) === 0
  }, 'the end of all runs')

it('runs of one tenant never have all slots, and another tenant is served at once', async () => {
  const slow = await publish(ana, get('slow'))
  for (let run = 0; run < 3 * slots; run++) await startByHand(ana, slow)
  await until(() => countOf('/slow') === slots - 1, 'the calls of one tenant')
  expect([await active(ana.id, 'running'), await active(ana.id, 'queued')]).toEqual([slots - 1, 2 * slots + 1])

  const { body } = await startByHand(bo, await publish(bo, get('quick')))
  expect(await finished(bo, body.id)).toMatchObject({ status: 'succeeded' })
  expect(countOf('/slow')).toBe(slots - 1)
  await answerAll(ana.id)
}, 30_000)

it('slots that become free go to the tenant who has fewer, however many runs of another wait for longer', async () => {
  const slow = await publish(ana, get('slow'))
  const mine = await publish(bo, get('slow-bo'))
  const before = countOf('/slow')
  for (let run = 0; run < 3 * slots; run++) await startByHand(ana, slow)
  await until(() => countOf('/slow') === before + slots - 1, 'the calls of one tenant')
  const started = await Promise.all([1, 2, 3, 4].map(() => startByHand(bo, mine)))
  await until(() => countOf('/slow-bo') === 1, 'the one free slot')
  for (const answer of held.splice(0, 3)) answer()
  await until(() => countOf('/slow-bo') === 4, 'the slots of others')
  // All that became free went to those who had less.
  expect(countOf('/slow')).toBe(before + slots - 1)
  await answerAll(ana.id)
  for (const { body } of started) await finished(bo, body.id)
}, 30_000)

it('a call that lasts gives its slot back, and its run ends as others do', async () => {
  const slow = await publish(ana, get('slow-lasting'))
  const runs = []
  for (let run = 0; run < slots + 1; run++) runs.push((await startByHand(ana, slow)).body.id)
  await until(() => countOf('/slow-lasting') === slots - 1, 'the first calls')
  app.clock.forward({ minutes: 11 })
  await until(() => countOf('/slow-lasting') === slots + 1, 'the calls that waited for slots')
  for (const answer of held.splice(0)) answer()
  for (const id of runs) expect(await finished(ana, id)).toMatchObject({ status: 'succeeded' })
}, 30_000)

it('slow calls of one tenant have a limit, and then hold its own slots only', async () => {
  const slow = await publish(ana, get('slow-many'))
  const most = (slots * 5) / 4
  for (let run = 0; run < 4 * slots; run++) await startByHand(ana, slow)
  for (let pass = 1; pass <= 3; pass++) {
    await until(() => countOf('/slow-many') >= Math.min(pass * (slots - 1), most + slots - 1), 'the calls')
    app.clock.forward({ minutes: 11 })
  }
  await until(() => countOf('/slow-many') === most + slots - 1, 'all calls it may have')
  const { body } = await startByHand(bo, await publish(bo, get('quick')))
  expect(await finished(bo, body.id)).toMatchObject({ status: 'succeeded' })
  await runWhere(bo, body.id, () => true)
  expect(countOf('/slow-many')).toBe(most + slots - 1)
  await answerAll(ana.id)
}, 30_000)
