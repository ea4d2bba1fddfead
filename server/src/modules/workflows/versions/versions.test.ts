/** Versions: kept for ever, numbered without gaps, compared, and rolled back to. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import {
  workflowsPath as base,
  chain,
  makePublished,
  makeWorkflow,
  node,
  publishWorkflow,
} from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()
const eve = await app.user()

const versionsOf = async (id: string) => (await ana.get(`${base}/${id}/versions`)).body.versions

describe('versions', () => {
  it('are listed newest first without graphs, and read one by one with it, by id or number', async () => {
    const flow = await makePublished(ana, chain('a'))
    const taken = await ana.post(`${base}/${flow.id}/snapshot`, { notes: 'before lunch' })
    expect(taken).toMatchObject({
      status: 201,
      body: { version: 2, type: 'Manual', notes: 'before lunch', live: false },
    })
    expect((await ana.get(`${base}/${flow.id}`)).body).toMatchObject({ status: 'Published', live_version: 1 })

    const listed = await versionsOf(flow.id)
    expect(listed).toEqual([
      taken.body,
      {
        id: flow.live_version_id,
        version: 1,
        type: 'Published',
        timestamp: expect.any(Number),
        notes: '',
        rolled_back_to: null,
        author: { id: ana.id, name: ana.name },
        live: true,
      },
    ])
    for (const key of [1, flow.live_version_id])
      expect((await ana.get(`${base}/${flow.id}/versions/${key}`)).body).toEqual({ ...listed[1], graph: chain('a') })
    const page = await ana.get(`${base}/${flow.id}/versions?limit=1&before=2`)
    expect(page.body.versions.map(({ version }: { version: number }) => version)).toEqual([1])
  })

  it('keep equal graphs once', async () => {
    const flow = await makePublished(ana)
    for (let count = 0; count < 3; count += 1) await ana.post(`${base}/${flow.id}/snapshot`)
    const graphs = await app.db.selectFrom('workflowGraphs').select('hash').where('workflowId', '=', flow.id).execute()
    expect([graphs.length, (await versionsOf(flow.id)).length]).toEqual([1, 4])
  })

  it('are compared from one to the other, by id or number', async () => {
    const flow = await makePublished(ana, chain('a', 'b'))
    await ana.put(`${base}/${flow.id}`, { graph: chain('a', 'c') })
    const { id } = (await ana.post(`${base}/${flow.id}/snapshot`)).body
    const { status, body } = await ana.get(`${base}/${flow.id}/versions/1/diff/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: { version: 1, live: true },
      to: { id, version: 2 },
      nodes: { added: [{ id: 'c' }], removed: [{ id: 'b' }], changed: [], unchanged: ['a'] },
      edges: { added: [{ id: 'a-c' }], removed: [{ id: 'a-b' }], unchanged: [] },
      settings: { changed: [] },
      summary: { added: 2, removed: 2, changed: 0 },
    })
  })

  it('are compared with the draft as it stands, either way round', async () => {
    const flow = await makePublished(ana, chain('a', 'b'))
    const { graph_hash } = (await ana.put(`${base}/${flow.id}`, { graph: chain('a', 'b', 'c') })).body
    const { body } = await ana.get(`${base}/${flow.id}/versions/1/diff/draft`)
    expect(body).toMatchObject({
      from: { version: 1 },
      to: { type: 'Draft', graph_hash, author: { id: ana.id } },
      nodes: { added: [{ id: 'c' }], removed: [] },
      summary: { added: 2, removed: 0 },
    })
    const back = await ana.get(`${base}/${flow.id}/versions/draft/diff/1`)
    expect(back.body).toMatchObject({ from: { type: 'Draft' }, nodes: { added: [], removed: [{ id: 'c' }] } })
    expect((await ana.get(`${base}/${flow.id}/versions/draft`)).body.code).toBe('version_not_found')
  })

  it('of somebody else, or of another workflow, are not found (A06)', async () => {
    const [flow, other, foreign] = [await makePublished(ana), await makePublished(ana), await makePublished(eve)]
    for (const key of [
      foreign.live_version_id,
      other.live_version_id,
      app.unknownId(),
      '7',
      '0',
      '-1',
      '1e0',
      'x',
      '99999999999',
    ]) {
      for (const path of [`versions/${key}`, `versions/1/diff/${key}`, `versions/${key}/diff/1`])
        expect((await ana.get(`${base}/${flow.id}/${path}`)).body.code, path).toBe('version_not_found')
      const rolled = await ana.post(`${base}/${flow.id}/rollback`, { version_id: String(key) })
      expect(rolled.body.code).toBe('version_not_found')
    }
    for (const path of ['versions', 'versions/1', 'versions/1/diff/1'])
      expect((await eve.get(`${base}/${flow.id}/${path}`)).body.code, path).toBe('workflow_not_found')
    expect(await versionsOf(flow.id)).toHaveLength(1)
  })

  it('cannot be changed or removed in the database, short of the whole workflow', async () => {
    const flow = await makePublished(ana)
    const attempts = [
      sql`update workflow_versions set notes = 'other' where workflow_id = ${flow.id}`,
      sql`update workflow_graphs set graph = '{}' where workflow_id = ${flow.id}`,
      sql`delete from workflow_versions where workflow_id = ${flow.id}`,
      sql`delete from workflow_graphs where workflow_id = ${flow.id}`,
      sql`truncate workflow_versions cascade`,
      sql`truncate workflow_graphs cascade`,
    ]
    for (const attempt of attempts) await expect(attempt.execute(app.db)).rejects.toThrow('snapshots are immutable')
    await expect(
      sql`update workflows set is_live = true, live_version_id = null where id = ${flow.id}`.execute(app.db),
    ).rejects.toThrow('check constraint')
    expect((await ana.delete(`${base}/${flow.id}`)).status).toBe(204)
  })
})

describe('rolling back and publishing in one step', () => {
  const rollBack = (id: string, version: string, notes?: string) =>
    ana.post(`${base}/${id}/rollback-and-publish`, { version_id: version, ...(notes && { notes }) })

  it('makes the earlier graph live again under a new number, saves the draft, and never pauses a trigger', async () => {
    const flow = await makePublished(ana, chain('a', 'b'))
    await ana.put(`${base}/${flow.id}`, { graph: chain('a', 'c') })
    await publishWorkflow(ana, flow.id)
    await ana.put(`${base}/${flow.id}`, { graph: chain('draft') })
    const { status, body } = await rollBack(flow.id, '1', 'c is slow')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      workflow: { status: 'Published', live_version: 4, fires: true, graph: chain('a', 'b') },
      saved_version: { version: 3, type: 'Manual', notes: 'c is slow', rolled_back_to: 1 },
    })
    expect((await ana.get(`${base}/${flow.id}/versions/3`)).body.graph).toEqual(chain('draft'))
    expect((await ana.get(`${base}/${flow.id}/versions/4`)).body).toMatchObject({
      type: 'Published',
      live: true,
      notes: 'c is slow',
      graph: chain('a', 'b'),
    })
  })

  it('is for reviewers, not during a review, and not for a graph that could not be published', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, member] = [await app.user({ org }), await app.user({ org })]
    const flow = await makePublished(boss, chain('a'))
    const path = `${base}/${flow.id}/rollback-and-publish`
    expect(await member.post(path, { version_id: '1' })).toMatchObject({ status: 403 })
    expect(await boss.post(path, { version_id: '9' })).toMatchObject({ body: { code: 'version_not_found' } })
    await boss.put(`${base}/${flow.id}`, { graph: { nodes: [], edges: [], settings: {} } })
    await boss.post(`${base}/${flow.id}/snapshot`)
    expect(await boss.post(path, { version_id: '2' })).toMatchObject({ status: 422 })
    await boss.put(`${base}/${flow.id}`, { graph: chain('b') })
    await boss.post(`${base}/${flow.id}/submit`, {})
    expect(await boss.post(path, { version_id: '1' })).toMatchObject({
      status: 409,
      body: { code: 'workflow_in_review' },
    })
    expect((await boss.get(`${base}/${flow.id}`)).body).toMatchObject({ status: 'Staged', live_version: 1 })
  })
})

describe('rolling back', () => {
  it('restores the graph, keeps the old one as a Manual version, and stops firing until published again', async () => {
    const flow = await makePublished(ana, chain('a', 'b'))
    await ana.put(`${base}/${flow.id}`, { graph: chain('worse') })
    await publishWorkflow(ana, flow.id)
    const { status, body } = await ana.post(`${base}/${flow.id}/rollback`, { version_id: '1', notes: 'too short' })

    expect(status).toBe(200)
    expect(body.saved_version).toMatchObject({ version: 3, type: 'Manual', live: false })
    expect(body.workflow).toMatchObject({ status: 'Draft', graph: chain('a', 'b'), live_version: 2, fires: false })
    expect((await ana.get(`${base}/${flow.id}`)).body).toEqual(body.workflow)
    expect((await ana.get(`${base}/${flow.id}/versions/3`)).body.graph).toEqual(chain('worse'))

    expect(await publishWorkflow(ana, flow.id)).toMatchObject({ status: 'Published', live_version: 4, fires: true })
  })

  it('has its notes in the list of versions, where they say which version was restored', async () => {
    const flow = await makePublished(ana, chain('a', 'b'))
    await ana.post(`${base}/${flow.id}/snapshot`, { notes: 'by hand' })
    await ana.post(`${base}/${flow.id}/rollback`, { version_id: '1', notes: 'too short' })
    expect(await versionsOf(flow.id)).toMatchObject([
      { version: 3, type: 'Manual', notes: 'too short', rolled_back_to: 1 },
      { version: 2, type: 'Manual', notes: 'by hand', rolled_back_to: null },
      { version: 1, type: 'Published', rolled_back_to: null },
    ])
  })

  it('keeps the current graph even when a version has it already', async () => {
    const flow = await makePublished(ana)
    const { body } = await ana.post(`${base}/${flow.id}/rollback`, { version_id: flow.live_version_id })
    expect(body).toMatchObject({
      workflow: { status: 'Draft', fires: false, has_changes: false },
      saved_version: { version: 2, notes: '', rolled_back_to: 1 },
    })
  })

  it('waits for the end of a review', async () => {
    const flow = await makePublished(ana)
    await ana.put(`${base}/${flow.id}`, { graph: chain('x') })
    await ana.post(`${base}/${flow.id}/submit`)
    const { status, body } = await ana.post(`${base}/${flow.id}/rollback`, { version_id: '1' })
    expect([status, body.code]).toEqual([409, 'workflow_in_review'])
    expect(await versionsOf(flow.id)).toHaveLength(1)
  })
})

describe('at the same time', () => {
  it('rollbacks and snapshots are numbered without gaps', async () => {
    const flow = await makePublished(ana, chain('a'))
    await ana.put(`${base}/${flow.id}`, { graph: chain('b') })
    const calls = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? ana.post(`${base}/${flow.id}/rollback`, { version_id: '1' })
        : ana.post(`${base}/${flow.id}/snapshot`),
    )
    for (const { status } of await Promise.all(calls)) expect([200, 201]).toContain(status)
    const numbers = (await versionsOf(flow.id)).map(({ version }: { version: number }) => version)
    expect(numbers).toEqual(Array.from({ length: 13 }, (_, index) => 13 - index))
  })

  it('one of two approvals publishes', async () => {
    const { id } = await makeWorkflow(ana)
    await ana.post(`${base}/${id}/submit`)
    const replies = await Promise.all(Array.from({ length: 6 }, () => ana.post(`${base}/${id}/approve`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await versionsOf(id)).toHaveLength(1)
  })

  it('an approval and an edit never publish what nobody reviewed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const flow = await makeWorkflow(ana, chain('reviewed'))
      await ana.post(`${base}/${flow.id}/submit`)
      const [approved] = await Promise.all([
        ana.post(`${base}/${flow.id}/approve`),
        ana.put(`${base}/${flow.id}`, { graph: chain('unseen') }),
      ])
      const { body } = await ana.get(`${base}/${flow.id}`)
      expect(body).toMatchObject({ status: 'Draft', graph: chain('unseen'), fires: approved.status === 200 })
      expect([200, 409]).toContain(approved.status)
      for (const { version } of await versionsOf(flow.id))
        expect((await ana.get(`${base}/${flow.id}/versions/${version}`)).body.graph).toEqual(chain('reviewed'))
    }
  })

  it('a rollback and an approval leave one of their two orders', async () => {
    for (let round = 0; round < 6; round += 1) {
      const flow = await makePublished(ana, chain('one'))
      await ana.put(`${base}/${flow.id}`, { graph: chain('two') })
      await ana.post(`${base}/${flow.id}/submit`)
      const [approved, rolled] = await Promise.all([
        ana.post(`${base}/${flow.id}/approve`),
        ana.post(`${base}/${flow.id}/rollback`, { version_id: '1' }),
      ])
      expect(approved.status).toBe(200)
      const { body } = await ana.get(`${base}/${flow.id}`)
      expect(body).toMatchObject(
        rolled.status === 200
          ? { status: 'Draft', graph: chain('one'), fires: false, live_version: 2 }
          : { status: 'Published', graph: chain('two'), fires: true, live_version: 2 },
      )
    }
  })
})

describe('a workflow with odd nodes', () => {
  it('is kept and compared whatever its nodes are called', async () => {
    const odd = (name: string) => ({ nodes: [{ ...node('hasOwnProperty'), name }], edges: [] })
    const flow = await makePublished(ana, odd('toString'))
    await ana.put(`${base}/${flow.id}`, { graph: odd('valueOf') })
    await ana.post(`${base}/${flow.id}/snapshot`)
    const { body } = await ana.get(`${base}/${flow.id}/versions/1/diff/2`)
    expect(body.nodes.changed).toEqual([
      { id: 'hasOwnProperty', name: 'valueOf', fields: [{ path: 'name', before: 'toString', after: 'valueOf' }] },
    ])
  })
})
