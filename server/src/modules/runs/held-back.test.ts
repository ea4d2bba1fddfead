/** A run that ends the nodes that work on it is held back, and takes no other with it. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, publish, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

const held: (() => void)[] = []
const site = await startSite(({ path }, response) => {
  if (path.startsWith('/hang')) held.push(() => response.end('late'))
  else response.end('ok')
})
atEnd(site.close)
const app = await testApp({
  env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
  timings: { slowCallMs: 600_000 },
})
const ana = await app.user()
const get = (id: string, path = id) => node(id, { url: `${site.origin}/${path}` }, 'http_request')
const callsTo = (path: string) => site.requests.filter((request) => request.path === `/${path}`).length
const start = async (graph: Parameters<typeof publish>[1]) =>
  (await startByHand(ana, await publish(ana, graph))).body.id
/** Its node is gone: nobody renews the lease any more. */
const crashAt = async (path: string, calls: number): Promise<void> => {
  await until(() => callsTo(path) === calls, `call ${calls} to ${path}`)
  await expireRunLeases(app.db)
}

it('after three claims without progress a run is held back, and goes on when somebody lets it', async () => {
  const id = await start({ nodes: [get('hang')], edges: [] })
  for (const calls of [1, 2, 3]) await crashAt('hang', calls)
  const run = await runWhere(ana, id, ({ status }) => status === 'waiting')
  expect(run.error).toContain('held back')
  // Neither something that arrives nor its deadline moves it.
  await app.ports.runs.wake()
  app.clock.forward({ days: 3 })
  expect((await runWhere(ana, id, () => true)).status).toBe('waiting')
  expect(callsTo('hang')).toBe(3)

  const owner = await app.platformOwner()
  const { body } = await owner.get('/api/admin/held-back?kind=run')
  expect(body.items).toMatchObject([{ kind: 'run', id, claims: 3, canRelease: true, canDelete: false }])
  expect(await owner.post(`/api/admin/held-back/run/${id}/release`)).toMatchObject({ status: 204 })
  app.ports.runs.wake()
  await until(() => callsTo('hang') === 4, 'the call after its release')
  for (const answer of held.splice(0)) answer()
  expect(await finished(ana, id)).toMatchObject({ status: 'succeeded', error: null })
})

it('a run that is held back can be cancelled', async () => {
  const id = await start({ nodes: [get('hang-b')], edges: [] })
  for (const calls of [1, 2, 3]) await crashAt('hang-b', calls)
  await runWhere(ana, id, ({ status }) => status === 'waiting')
  await ana.post(`${runsPath}/${id}/cancel`)
  expect(await finished(ana, id)).toMatchObject({ status: 'cancelled' })
})

it('a saved step begins the count again', async () => {
  const id = await start({ nodes: [get('hang-c'), get('hang-d')], edges: [edge('hang-c', 'hang-d')] })
  for (const calls of [1, 2]) await crashAt('hang-c', calls)
  await until(() => callsTo('hang-c') === 3)
  for (const answer of held.splice(0)) answer()
  for (const calls of [1, 2]) await crashAt('hang-d', calls)
  await until(() => callsTo('hang-d') === 3)
  for (const answer of held.splice(0)) answer()
  expect(await finished(ana, id)).toMatchObject({ status: 'succeeded' })
})

it('runs that were under way in two crashes are tried one at a time, so that one takes no other with it', async () => {
  const workflow = await publish(ana, { nodes: [get('hang-e')], edges: [] })
  const ids = await Promise.all([1, 2, 3].map(async () => (await startByHand(ana, workflow)).body.id))
  for (const calls of [3, 6]) await crashAt('hang-e', calls)
  await until(() => callsTo('hang-e') === 7, 'the first of them')
  // The node dies a third time.
  await expireRunLeases(app.db)
  await until(() => callsTo('hang-e') === 8, 'the second of them')
  const states = async () =>
    (await Promise.all(ids.map((id) => runWhere(ana, id, () => true)))).map(({ status }) => status)
  expect((await states()).sort()).toEqual(['queued', 'running', 'waiting'])
  // It makes progress, so the third has its turn.
  for (const answer of held.splice(0)) answer()
  await until(() => callsTo('hang-e') === 9, 'the third of them')
  for (const answer of held.splice(0)) answer()
  await until(async () => (await states()).filter((status) => status === 'succeeded').length === 2)
})
