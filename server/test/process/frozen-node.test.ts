/** A node that is frozen in the middle of a dispatch (SIGSTOP) must not stop the others, nor commit when it comes back. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { instanceLane, laneOf } from '#modules/event-bus/lanes.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'
import { freeze, thaw } from '#test/peers/freeze.ts'

const startFrozenNode = (databaseUrl: string, { leaseMs, lane }: { leaseMs: number; lane: number }) => {
  const program = fileURLToPath(new URL('frozen-dispatcher.ts', import.meta.url))
  const child = spawn(process.execPath, [program, databaseUrl, String(leaseMs), String(lane)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => {
    output += String(bytes)
  })
  return { child, says: (text: string) => until(() => output.includes(text), `"${text}" from the node`) }
}

it('PostgreSQL ends its dispatch, another node takes over, and the frozen node cannot commit', async () => {
  // No dispatcher runs here: the node that will be frozen is the first to dispatch.
  const publisher = await testApp({ env: { SVC_ROLE: 'api' } })
  const eventType = 'before_the_freeze'
  await subscribe(publisher, { eventType, scopeId: randomUUID() })
  const event = { scopeId: instanceScope, eventType, source: 'test', userId: null, payload: {} }
  const [published] = await publisher.db.transaction().execute((tx) => publisher.ports.eventBus.publish(tx, [event]))

  const { child, says } = startFrozenNode(publisher.databaseUrl, { leaseMs: 500, lane: instanceLane })
  await says('taken 1')
  await freeze(child)

  const other = await testApp({ databaseUrl: publisher.databaseUrl })
  await dispatched(other)
  const decided = await deliveriesOf(other, published?.event.eventId ?? '')
  expect(decided).toHaveLength(1)

  thaw(child)
  child.stdin.write('go on\n')
  await says('lost')
  expect(await deliveriesOf(other, published?.event.eventId ?? '')).toEqual(decided)
})

it('the lanes that it does not hold go on at once, and its own when PostgreSQL ends it', async () => {
  const publisher = await testApp({ env: { SVC_ROLE: 'api' } })
  const eventType = 'beside_the_freeze'
  const held = randomUUID()
  const others = Array.from({ length: 40 }, () => randomUUID()).filter((scopeId) => laneOf(scopeId) !== laneOf(held))
  for (const scopeId of [held, ...others]) await subscribe(publisher, { eventType, scopeId })
  const publish = async (scopeIds: readonly string[]) => {
    const events = scopeIds.map((scopeId) => ({ scopeId, eventType, source: 'test', userId: null, payload: {} }))
    return publisher.db.transaction().execute((tx) => publisher.ports.eventBus.publish(tx, events))
  }
  const [own] = await publish([held])
  // Long enough for the others to be dispatched meanwhile, however slow the machine is.
  const { child, says } = startFrozenNode(publisher.databaseUrl, { leaseMs: 8000, lane: laneOf(held) })
  await says('taken 1')
  await freeze(child)

  await publish(others)
  const other = await testApp({ databaseUrl: publisher.databaseUrl })
  const decided = async () =>
    (await publisher.db.selectFrom('eventDeliveries').select('scopeId').execute()).map(({ scopeId }) => scopeId)
  await until(async () => (await decided()).length >= others.length, 'the decisions of the other lanes')
  expect((await decided()).sort()).toEqual(others.toSorted())

  await dispatched(other)
  expect(await deliveriesOf(other, own?.event.eventId ?? '')).toHaveLength(1)
  thaw(child)
  child.stdin.write('go on\n')
  await says('lost')
})
