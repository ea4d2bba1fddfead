import { expect, it } from 'vitest'
import { dispatched, ingest } from '#test/harness/bus.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { workflowsPath as base, makePublished } from '#test/harness/workflows.ts'

const app = await sharedApp()

it('a trigger whose filter keeps running out of budget is paused, its author gets one email, a change resumes it', async () => {
  const ana = await app.user({ org: 'paused', isProven: true })
  const { id } = await makePublished(ana)
  const trigger = {
    name: 'Heavy filter',
    event_type: 'order_with_heavy_filter',
    filter_expr: 'sum(1 for a in range(200) for b in range(200)) > 1',
  }
  const { body: made } = await ana.post(`${base}/${id}/triggers/event`, trigger)
  for (let count = 0; count < 5; count += 1) {
    await ingest(app, { event_type: trigger.event_type })
    await dispatched(app)
  }
  const find = async () => (await ana.get(`${base}/${id}/triggers`)).body.items[0]
  expect(await find()).toMatchObject({
    id: made.id,
    enabled: true,
    paused_at: expect.any(Number),
    paused_reason: expect.stringContaining('LimitExceeded'),
  })
  const letter = await app.letterTo(ana.email)
  expect(letter.subject).toContain('Trigger paused: Heavy filter')
  expect(letter.text).toContain('LimitExceeded')

  await ana.patch(`${base}/${id}/triggers/${made.id}`, { filter_expr: 'True' })
  expect(await find()).toMatchObject({ paused_at: null, paused_reason: null })
  expect(app.lettersTo(ana.email).filter(({ subject }) => subject.includes('Trigger paused'))).toHaveLength(1)
})
