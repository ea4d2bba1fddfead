import { describe, expect, it } from 'vitest'
import { openStream } from '#test/harness/bus.ts'
import { runsPath, runWhere } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath, sendDraft, visitorOf } from '#test/harness/signing.ts'
import { makePublished, workflowsPath } from '#test/harness/workflows.ts'

const app = await sharedApp()

/** Texts that nobody may read who gets 404 for the document. */
const secrets = ['Merger with Umbrella', 'Wesker', 'wesker@', 'the price is too low']

const declineOne = async (owner: Awaited<ReturnType<typeof app.user>>) => {
  const email = `wesker@${owner.id}.example.test`
  const sent = await sendDraft(owner, { title: 'Merger with Umbrella', recipients: [{ name: 'Wesker', email }] })
  const visitor = await visitorOf(app, email)
  await visitor.get(`${visitor.path}/file`)
  await visitor.post(`${visitor.path}/open`)
  expect((await visitor.post(`${visitor.path}/decline`, { reason: 'the price is too low' })).status).toBe(200)
  return sent
}

describe('what happens to a document', () => {
  it('is told to members who may not see it by ids alone: in lists, the stream, workflows and search', async () => {
    const [boss, member] = [await app.user({ org: 'umbrella' }), await app.user({ org: 'umbrella' })]
    const { id: workflowId } = await makePublished(member, undefined, boss)
    const trigger = { name: 'declined', event_type: 'document_declined' }
    expect((await member.post(`${workflowsPath}/${workflowId}/triggers/event`, trigger)).status).toBe(201)
    const stream = await openStream(app, member.token)
    const { id, recipients } = await declineOne(boss)
    await stream.reaches(2)
    const { body } = await member.get(`/api/v1/events?correlation_id=${id}`)
    expect(body.data[0]).toMatchObject({ event_type: 'document_declined', correlation_id: id, user_id: boss.id })
    expect(body.data[0].payload).toEqual({ document_id: id, recipient: { id: recipients[0]?.id, role: 'SIGNER' } })
    let runId = ''
    await expect
      .poll(async () => {
        runId = (await member.get(`${workflowsPath}/${workflowId}/runs`)).body.data[0]?.id ?? ''
        return runId
      })
      .not.toBe('')
    const run = await runWhere(member, runId, ({ status }) => status === 'succeeded')
    expect(JSON.stringify(run)).toContain(id)
    const tried = await member.post(`${workflowsPath}/${workflowId}/triggers/event/test`, {
      event_type: 'document_declined',
      filter_expr: "'Wesker' in str(payload)",
    })
    const seen = [
      body,
      stream.frames,
      run,
      tried.body,
      (await member.get(`${runsPath}/${runId}`)).body,
      (await member.get(`${documentsPath}?search=Merger`)).body,
      (await member.get(`/api/v1/events/deliveries?correlation_id=${id}`)).body,
    ]
    for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret)
    expect((await member.get(`${documentsPath}/${id}`)).status).toBe(404)
    await stream.close()
  })

  it('is told in full to the person whose events nobody else reads', async () => {
    const ana = await app.user()
    const { id } = await declineOne(ana)
    const { body } = await ana.get(`/api/v1/events?correlation_id=${id}`)
    expect(body.data[0].payload).toMatchObject({ title: 'Merger with Umbrella', reason: 'the price is too low' })
  })
})
