/** The email to the owner of a workflow whose runs fail. */
import { expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { deliveriesOf, dispatched, ingest } from '#test/harness/bus.ts'
import { finished, publish, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { node, workflowsPath } from '#test/harness/workflows.ts'

const app = await sharedApp()
const job = app.ports.workflows.jobs?.find(({ name }) => name === 'workflows.failure-mails')
const work = () =>
  job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })

it('tells the owner once an hour that triggered runs fail, and not about runs started by hand', async () => {
  const ana = await app.user({ isProven: true })
  const id = await publish(ana, { nodes: [node('wrong', { fields: { x: '1 / 0' } })], edges: [] })
  await finished(ana, (await startByHand(ana, id)).body.id)
  await work()
  await ana.post(`${workflowsPath}/${id}/triggers/event`, { name: 'All', event_type: 'order_that_fails' })
  const fail = async () => {
    const { event_id } = (await ingest(app, { event_type: 'order_that_fails' })).body
    await dispatched(app)
    const [delivery] = await deliveriesOf(app, event_id)
    return finished(ana, delivery?.runId ?? '')
  }
  // The app's own job may be the one that tells; there is one email all the same.
  const first = await fail()
  await Promise.all([work(), work()])
  const letter = await app.letterTo(ana.email)
  expect(letter.subject).toBe('Workflow failed: A workflow')
  expect(letter.text).toContain('ZeroDivisionError')
  expect(letter.text).toContain(`/workflows/${id}/runs/${first.id}`)
  const second = await fail()
  await work()
  app.clock.forward({ minutes: 61 })
  await work()
  await app.letterTo(ana.email, 2)
  const texts = app.lettersTo(ana.email).map(({ text }) => text)
  expect(texts).toHaveLength(2)
  expect(texts.filter((text) => text.includes(`/runs/${second.id}`))).toHaveLength(1)
})
