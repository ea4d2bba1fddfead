import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { instanceScope } from '../face.ts'
import { lockDispatch } from '../queries/dispatches.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const eventType = 'committed_late'

it('an event whose transaction took longer than looks go back is dispatched all the same', async () => {
  await subscribe(app, { scopeId: randomUUID(), eventType })
  const late = Promise.withResolvers<void>()
  const event = { scopeId: instanceScope, eventType, source: 'test', userId: null, payload: {} }
  const slow = app.db.transaction().execute(async (tx) => {
    const [published] = await app.ports.eventBus.publish(tx, [event])
    await late.promise
    return published?.event.eventId ?? ''
  })
  for (let moment = 0; moment < 6; moment += 1) {
    await ingest(app, { event_type: eventType })
    await dispatched(app)
    await sleep(1000)
  }
  late.resolve()
  const eventId = await slow
  app.ports.eventBus.wake()
  await dispatched(app)
  expect(await deliveriesOf(app, eventId)).toHaveLength(1)
})

it('no plan of a dispatch reads its table from end to end, however small it looks', async () => {
  await sql`analyze event_dispatches`.execute(app.db)
  const look = sql<{ 'QUERY PLAN': string }>`
    explain select seq from event_dispatches where seq between 1 and 100 order by seq limit 10`
  const { rows } = await app.db.transaction().execute(async (tx) => {
    await lockDispatch(tx)
    return look.execute(tx)
  })
  expect(JSON.stringify(rows)).toContain('Index')
  expect(JSON.stringify(rows)).not.toContain('Seq Scan')
  expect(JSON.stringify(await sql`show enable_seqscan`.execute(app.db))).toContain('on')
})
