import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { deliveriesOf, dispatched, ingest, subscribe } from '#test/harness/bus.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { until } from '#test/kernel/until.ts'
import { claimLanesUnscoped } from '../queries/lanes.ts'

const app = await sharedApp()
const eventType = 'committed_late'

it('an event is dispatched even if its transaction commits long after later events were', async () => {
  await subscribe(app, { scopeId: randomUUID(), eventType })
  const mayCommit = Promise.withResolvers<void>()
  const slow = app.db.transaction().execute(async (tx) => {
    const event = { scopeId: instanceScope, eventType, source: 'test', userId: null, payload: {} }
    const [published] = await app.ports.eventBus.publish(tx, [event])
    await mayCommit.promise
    return published?.event.eventId ?? ''
  })
  for (let round = 0; round < 6; round += 1) {
    await ingest(app, { event_type: eventType })
    await dispatched(app)
    app.clock.forward({ ms: 1000 })
  }
  mayCommit.resolve()
  const eventId = await slow
  app.ports.eventBus.wake()
  await dispatched(app)
  expect(await deliveriesOf(app, eventId)).toHaveLength(1)
})

it('the lease of a dispatch ends with its transaction', async () => {
  const read = async (db: typeof app.db) => (await sql`show idle_in_transaction_session_timeout`.execute(db)).rows
  await app.db.connection().execute(async (connection) => {
    const before = await read(connection)
    await connection.transaction().execute(async (tx) => {
      await until(async () => (await claimLanesUnscoped(tx, { lanes: [3] })).length > 0, 'the claim')
      expect(await read(tx)).toEqual([{ idleInTransactionSessionTimeout: '15s' }])
    })
    expect(await read(connection)).toEqual(before)
  })
})
