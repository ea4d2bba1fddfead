import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startMeterNode } from '#test/harness/meter.ts'

const app = await testApp()
const [node, other] = [await startMeterNode(app), await startMeterNode(app)]

const soon = { timeout: 10_000, interval: 100 }
const rowsOf = ({ id }: { id: string }) =>
  app.db
    .selectFrom('usageDays')
    .select(['model', 'requests', 'failures', 'promptTokens', 'completionTokens'])
    .where('principalId', '=', id)
    .orderBy('model')
    .execute()

it('adds up what two nodes record at the same time, and loses nothing', async () => {
  const ana = await app.user()
  const actor = await node.actorOf(ana.token)
  for (let call = 0; call < 500; call += 1)
    for (const each of [node, other]) {
      each.meter.record(actor, { model: 'a', promptTokens: 3, completionTokens: 4, failed: false })
      each.meter.record(actor, { model: 'b', promptTokens: 1, completionTokens: 0, failed: true })
      if (call % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 150))
    }
  await vi.waitFor(async () => {
    expect(await rowsOf(ana)).toEqual([
      { model: 'a', requests: 1000, failures: 0, promptTokens: 3000, completionTokens: 4000 },
      { model: 'b', requests: 1000, failures: 1000, promptTokens: 1000, completionTokens: 0 },
    ])
  }, soon)
})

it('keeps what could not be written until it can', async () => {
  const ana = await app.user()
  await sql`alter table usage_days rename to usage_days_away`.execute(app.db)
  await node.use(ana, 5)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await node.use(ana, 6)
  await sql`alter table usage_days_away rename to usage_days`.execute(app.db)
  await vi.waitFor(async () => expect(await rowsOf(ana)).toMatchObject([{ requests: 2, promptTokens: 11 }]), soon)
})

it('writes everything when it stops, also what is reported after that', async () => {
  const ana = await app.user()
  const last = await startMeterNode(app)
  const actor = await last.actorOf(ana.token)
  last.meter.record(actor, { model: 'm', promptTokens: 1, completionTokens: 1, failed: false })
  const stopped = last.stop()
  await new Promise(setImmediate)
  last.meter.record(actor, { model: 'm', promptTokens: 1, completionTokens: 1, failed: false })
  await stopped
  expect(await rowsOf(ana)).toMatchObject([{ requests: 2, promptTokens: 2, completionTokens: 2 }])
})

it('survives numbers and names that no provider should send', async () => {
  const ana = await app.user()
  const actor = await node.actorOf(ana.token)
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, -5, 1.9, Number.MAX_VALUE]
  for (const promptTokens of odd)
    node.meter.record(actor, { model: 'x\0y\ud800', promptTokens, completionTokens: 0, failed: false })
  node.meter.record(actor, { model: 'l'.repeat(10_000), promptTokens: 1, completionTokens: 0, failed: false })
  await vi.waitFor(async () => {
    expect(await rowsOf(ana)).toMatchObject([
      { model: 'l'.repeat(300), requests: 1 },
      { model: 'xy\ufffd', requests: 5, promptTokens: 1_000_000_000_001 },
    ])
  }, soon)
})
