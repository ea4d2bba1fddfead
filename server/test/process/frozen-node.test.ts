/** A node that is frozen in the middle of a dispatch (SIGSTOP) must not stop the others, nor commit when it comes back. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { instanceLane, laneOf } from '#modules/event-bus/lanes.ts'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'
import { freeze, thaw } from '#test/peers/freeze.ts'

const eventType = 'around_the_freeze'
type App = Awaited<ReturnType<typeof testApp>>

const publish = async (app: App, scopeIds: readonly string[]) => {
  const events = scopeIds.map((scopeId) => ({ scopeId, eventType, source: 'test', userId: null, payload: {} }))
  return app.db.transaction().execute((tx) => app.ports.eventBus.publish(tx, events))
}
const isAlive = async (app: App, node: string): Promise<boolean> =>
  (await sql`select from live_nodes where id = ${node} and works`.execute(app.db)).rows.length > 0

/** Freezes a live node that has taken the one event of a lane. */
const freezeNode = async (app: App, { leaseMs, lane }: { leaseMs: number; lane: number }) => {
  const program = fileURLToPath(new URL('frozen-dispatcher.ts', import.meta.url))
  const node = randomUUID()
  const child = spawn(process.execPath, [program, app.databaseUrl, String(leaseMs), String(lane), node], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => {
    output += String(bytes)
  })
  const says = (text: string) => until(() => output.includes(text), `"${text}" from the node`)
  await says('taken 1')
  await until(() => isAlive(app, node), 'the row of the node')
  await freeze(child)
  const goesOn = async (): Promise<void> => {
    thaw(child)
    child.stdin.write('go on\n')
    await says('lost')
  }
  return { node, goesOn }
}

it('its lanes move once it is gone: another node ends its dispatch and takes over, and it cannot commit', async () => {
  // No dispatcher runs here: the node that will be frozen is the first to dispatch.
  const publisher = await testApp({ env: { SVC_ROLE: 'api' } })
  const scopeIds = Array.from({ length: 16 }, (_, lane) => `${randomUUID().slice(0, -1)}${lane.toString(16)}`)
  for (const scopeId of scopeIds) await subscribe(publisher, { eventType, scopeId })
  const [held] = await publish(publisher, [instanceScope])
  const { goesOn } = await freezeNode(publisher, { leaseMs: 600_000, lane: instanceLane })

  const other = await testApp({ databaseUrl: publisher.databaseUrl })
  const later = await publish(publisher, scopeIds)
  await dispatched(other)
  const decided = await deliveriesOf(other, held?.event.eventId ?? '')
  expect(decided).toHaveLength(16)
  for (const { event } of later) expect(await deliveriesOf(other, event.eventId)).toHaveLength(1)

  await goesOn()
  expect(await deliveriesOf(other, held?.event.eventId ?? '')).toEqual(decided)
})

it('while it counts as alive, lanes that it does not hold go on at once, and its own when PostgreSQL ends it', async () => {
  const publisher = await testApp({ env: { SVC_ROLE: 'api' } })
  const held = randomUUID()
  const others = Array.from({ length: 40 }, () => randomUUID()).filter((scopeId) => laneOf(scopeId) !== laneOf(held))
  for (const scopeId of [held, ...others]) await subscribe(publisher, { eventType, scopeId })
  const [own] = await publish(publisher, [held])
  // Long enough for the others to be dispatched meanwhile, however slow the machine is.
  const { node, goesOn } = await freezeNode(publisher, { leaseMs: 8000, lane: laneOf(held) })
  const renewing = setInterval(
    () => void sql`update live_nodes set seen_at = now() where id = ${node}`.execute(publisher.db),
    500,
  )
  atEnd(() => clearInterval(renewing))

  await publish(publisher, others)
  const other = await testApp({ databaseUrl: publisher.databaseUrl })
  const decided = async () =>
    (await publisher.db.selectFrom('eventDeliveries').select('scopeId').execute()).map(({ scopeId }) => scopeId)
  await until(async () => (await decided()).length >= others.length, 'the decisions of the other lanes')
  expect((await decided()).sort()).toEqual(others.toSorted())

  await dispatched(other)
  expect(await deliveriesOf(other, own?.event.eventId ?? '')).toHaveLength(1)
  await goesOn()
})
