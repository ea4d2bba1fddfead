import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import { workflowsPath as base, chain, edge, makePublished, makeWorkflow, node } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user({ org: 'workflows' })
const ben = await app.user({ org: 'workflows' })
const eve = await app.user({ org: 'strangers' })
const loner = await app.user()

describe('editing', () => {
  it('is refused upon a graph that somebody else has changed', async () => {
    const { id, graph_hash } = await makeWorkflow(ana)
    const first = await ana.put(`${base}/${id}`, { graph: chain('a'), graph_hash })
    const second = await ben.put(`${base}/${id}`, { graph: chain('b'), graph_hash })
    expect([first.status, second.status, second.body.code]).toEqual([200, 409, 'graph_changed'])
    expect((await ana.get(`${base}/${id}`)).body.graph).toEqual(chain('a'))
    expect((await ben.put(`${base}/${id}`, { graph: chain('b'), graph_hash: first.body.graph_hash })).status).toBe(200)
    // Ben's answer was lost on its way; his editor tries again with what it knows.
    expect((await ben.put(`${base}/${id}`, { graph: chain('b'), graph_hash: first.body.graph_hash })).status).toBe(200)
    const named = await ben.put(`${base}/${id}`, { name: 'Another', graph: chain('b'), graph_hash })
    expect(named.body.code).toBe('graph_changed')
  })

  it('lets one of many win who changed the same graph at the same time', async () => {
    const { id, graph_hash } = await makeWorkflow(ana)
    const replies = await Promise.all(
      ['p', 'q', 'r', 's', 't'].map((one) => ana.put(`${base}/${id}`, { graph: chain(one), graph_hash })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })

  it('makes a published workflow a draft that goes on firing what is live', async () => {
    const flow = await makePublished(ana)
    const { body } = await ana.put(`${base}/${flow.id}`, { graph: chain('a', 'b', 'c') })
    expect(body).toMatchObject({ status: 'Draft', fires: true, has_changes: true, live_version: 1 })
    expect(body.live_version_id).toBe(flow.live_version_id)
  })

  it('of a name alone leaves the review and what is live as they are', async () => {
    const flow = await makePublished(ana)
    const { body } = await ana.put(`${base}/${flow.id}`, { name: 'Renamed', description: 'Better', graph: flow.graph })
    expect(body).toMatchObject({ name: 'Renamed', description: 'Better', status: 'Published', has_changes: false })
  })

  it('takes a staged workflow back to its author', async () => {
    const { id } = await makeWorkflow(ana)
    await ana.post(`${base}/${id}/submit`, { notes: 'please look' })
    const { body } = await ben.put(`${base}/${id}`, { graph: chain('other') })
    expect(body).toMatchObject({ status: 'Draft', review_notes: null, review_step: null })
    expect((await ana.post(`${base}/${id}/approve`)).body.code).toBe('workflow_not_staged')
  })
})

describe('the review', () => {
  it('goes from Draft by Staged to Published, with a version and the live pointer', async () => {
    const { id } = await makeWorkflow(ana)
    const staged = await ben.post(`${base}/${id}/submit`, { notes: 'first try' })
    expect(staged.body).toMatchObject({ status: 'Staged', review_notes: 'first try', fires: false })
    expect(staged.body.review_step).toEqual({ by: { id: ben.id, name: ben.name }, at: expect.any(Number) })
    const { body } = await ana.post(`${base}/${id}/approve`, { notes: 'fine', graph_hash: staged.body.graph_hash })
    expect(body).toMatchObject({
      status: 'Published',
      live_version: 1,
      has_changes: false,
      fires: true,
      review_notes: null,
      review_step: null,
    })
    const { versions } = (await ana.get(`${base}/${id}/versions`)).body
    expect(versions).toMatchObject([
      { version: 1, type: 'Published', notes: 'fine', live: true, author: { id: ana.id } },
    ])
    expect(versions[0].id).toBe(body.live_version_id)
  })

  it('hands back with notes, and the author tries again', async () => {
    const { id } = await makeWorkflow(ben)
    await ben.post(`${base}/${id}/submit`)
    const { body } = await ana.post(`${base}/${id}/reject`, { notes: 'who answers for this?' })
    expect(body).toMatchObject({
      status: 'Draft',
      review_notes: 'who answers for this?',
      review_step: { by: { id: ana.id } },
    })
    expect((await ben.post(`${base}/${id}/submit`)).body).toMatchObject({ status: 'Staged', review_notes: null })
  })

  it('is for administrators of the organization, and for the author where there is none', async () => {
    const { id } = await makeWorkflow(ben)
    await ben.post(`${base}/${id}/submit`)
    for (const step of ['approve', 'reject']) {
      const body = step === 'reject' ? { notes: '' } : undefined
      expect((await ben.post(`${base}/${id}/${step}`, body)).body.code).toBe('forbidden')
      expect((await ben.post(`${base}/${app.unknownId()}/${step}`, body)).body.code).toBe('forbidden')
      expect((await eve.post(`${base}/${id}/${step}`, body)).body.code).toBe('workflow_not_found')
    }
    expect((await makePublished(loner)).status).toBe('Published')
  })

  it('refuses a graph that cannot run, naming node and field', async () => {
    const graph = {
      nodes: [node('ask', {}, 'agent'), node('if', { expression: 'state[' }, 'condition')],
      edges: [edge('ask', 'if'), edge('if', 'gone', 'true')],
    }
    const { id } = await makeWorkflow(ana, graph)
    const { status, body } = await ana.post(`${base}/${id}/submit`)
    expect([status, body.code]).toEqual([422, 'graph_invalid'])
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc.join(' '))).toEqual([
      'graph nodes ask config.model',
      'graph nodes if config.expression',
      'graph edges if-gonetrue target',
    ])
    expect((await ana.get(`${base}/${id}`)).body.status).toBe('Draft')
  })

  it('keeps its order', async () => {
    const flow = await makePublished(ana)
    const codes = async (...steps: string[]) =>
      Promise.all(steps.map(async (step) => (await ana.post(`${base}/${flow.id}/${step}`, { notes: '' })).body.code))
    expect(await codes('submit', 'approve', 'reject')).toEqual([
      'workflow_not_draft',
      'workflow_not_staged',
      'workflow_not_staged',
    ])
    await ana.put(`${base}/${flow.id}`, { graph: chain('z') })
    expect(await codes('approve', 'reject')).toEqual(['workflow_not_staged', 'workflow_not_staged'])
  })

  it('approves what was reviewed and nothing else', async () => {
    const { id, graph_hash } = await makeWorkflow(ben)
    await ben.post(`${base}/${id}/submit`)
    await ben.put(`${base}/${id}`, { graph: chain('sly') })
    await ben.post(`${base}/${id}/submit`)
    expect((await ana.post(`${base}/${id}/approve`, { graph_hash })).body.code).toBe('graph_changed')
  })

  it('stops at a called workflow that was deleted since', async () => {
    const other = await makeWorkflow(ana)
    const { id } = await makeWorkflow(ana, { nodes: [node('c', { workflow_id: other.id }, 'subworkflow')], edges: [] })
    await ana.post(`${base}/${id}/submit`)
    await ana.delete(`${base}/${other.id}`)
    expect((await ana.post(`${base}/${id}/approve`)).body.code).toBe('graph_invalid')
  })
})
