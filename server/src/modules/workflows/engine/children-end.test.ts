/** Child runs end with a parent that failed, even if the server crashes right after the parent's end is saved. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { publish, startByHand } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const victim = createVictim()
const app = await testApp({ failpoints: victim })
const ana = await app.user()

it('children end in the commit in which their parent fails', async () => {
  const hold = await publish(ana, { nodes: [node('hold', { event_type: 'never' }, 'wait')], edges: [] })
  const call = node('call', { workflow_id: hold }, 'subworkflow')
  const wait = node('wait', { seconds: 60 }, 'wait')
  const bad = node('bad', { fields: { x: '1 / 0' } })
  const parent = await publish(ana, {
    nodes: [call, wait, bad],
    edges: [{ id: 'e', source: 'wait', target: 'bad' }],
  })
  const { body } = await startByHand(ana, parent)
  const read = (id: string) => app.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const children = () => app.db.selectFrom('runs').selectAll().where('parentRunId', '=', body.id).execute()
  await until(async () => (await children())[0]?.status === 'waiting' && (await read(body.id)).status === 'waiting')
  victim.dieAt('step: committed')
  app.clock.forward({ minutes: 2 })
  await until(async () => (await read(body.id)).status === 'failed')
  expect(await children()).toMatchObject([{ status: 'cancelled', error: 'The run that started this one has ended.' }])
  victim.revive()
})
