/** A node that is frozen in the middle of a dispatch (SIGSTOP) must not stop the others, nor commit when it comes back. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'
import { freeze, thaw } from '#test/peers/freeze.ts'

const startFrozenNode = (databaseUrl: string) => {
  const program = fileURLToPath(new URL('frozen-dispatcher.ts', import.meta.url))
  const child = spawn(process.execPath, [program, databaseUrl, '500'], { stdio: ['pipe', 'pipe', 'inherit'] })
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

  const { child, says } = startFrozenNode(publisher.databaseUrl)
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
