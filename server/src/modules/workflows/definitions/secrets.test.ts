/** Secrets inside nodes: they go in, are used by runs, and come out nowhere. */

import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hashGraph } from '#modules/workflow-graph/index.ts'
import { testApp } from '#test/harness/app.ts'
import { workflowsPath as base, makeWorkflow, node, publishWorkflow } from '#test/harness/workflows.ts'

const app = await testApp({ env: { LOG_LEVEL: 'debug' } })
const ana = await app.user()

const secret = 'Bearer sesame-5f1c'
const headerSecret = 'key-81d2'
const call = (config: Record<string, unknown> = {}) => ({
  nodes: [
    node(
      'call',
      {
        url: 'https://one.example/a',
        authorization: secret,
        headers: { 'X-Api-Key': headerSecret, accept: 'text/plain' },
        ...config,
      },
      'http_request',
    ),
  ],
  edges: [],
})
const hidden = (config: Record<string, unknown> = {}) =>
  call({ authorization: hiddenSecret, headers: { 'X-Api-Key': hiddenSecret, accept: 'text/plain' }, ...config })

/** Whole rows as text, wherever a graph is stored. */
const stored = async (id: string): Promise<string> => {
  const { rows } = await sql<{ text: string }>`
    select w::text as text from workflows w where id = ${id}
    union all select g::text from workflow_graphs g where workflow_id = ${id}
    union all select a::text from audit_log a where target_id = ${id}`.execute(app.db)
  return rows.map(({ text }) => text).join('\n')
}

describe('a secret in a node', () => {
  it('is in no reply, no diff, no file, no log and no row', async () => {
    const made = await ana.post(base, { name: 'Secrets', graph: call() })
    const { id, graph_hash } = made.body
    const replies = [made, await ana.get(`${base}/${id}`), await ana.get(base)]
    await publishWorkflow(ana, id)
    const changed = await ana.put(`${base}/${id}`, { graph: hidden({ authorization: 'Bearer other-77aa' }) })
    replies.push(changed, await ana.post(`${base}/${id}/snapshot`))
    for (const path of ['versions', 'versions/1', 'versions/1/diff/2', 'export'])
      replies.push(await ana.get(`${base}/${id}/${path}`))
    replies.push(await ana.post(`${base}/${id}/rollback`, { version_id: '1' }))

    const everything = [...replies.map(({ text }) => text), await stored(id), ...app.logLines].join('\n')
    for (const word of ['sesame-5f1c', 'other-77aa', headerSecret]) expect(everything).not.toContain(word)
    expect(made.body.graph).toEqual(hidden())
    expect(replies.at(-1)?.body.workflow).toMatchObject({ graph: hidden(), graph_hash })
    expect(graph_hash).toBe(hashGraph(call()))
  })

  it('stays as it was when it is sent back hidden, and the graph with it', async () => {
    const { id, graph_hash, graph } = await makeWorkflow(ana, call())
    const { body } = await ana.put(`${base}/${id}`, { graph, graph_hash })
    expect(body).toMatchObject({ graph_hash, graph: hidden() })
    const elsewhere = await ana.put(`${base}/${id}`, { graph: hidden({ url: 'https://one.example/b' }) })
    expect(elsewhere.body.graph_hash).toBe(hashGraph(call({ url: 'https://one.example/b' })))
  })

  it('shows in a diff that it changed, and neither value', async () => {
    const { id } = await makeWorkflow(ana, call())
    await ana.post(`${base}/${id}/snapshot`)
    await ana.put(`${base}/${id}`, { graph: hidden({ authorization: 'Bearer next' }) })
    await ana.post(`${base}/${id}/snapshot`)
    const { nodes } = (await ana.get(`${base}/${id}/versions/1/diff/2`)).body
    expect(nodes.changed[0].fields).toEqual([
      { path: 'config.authorization', before: `${hiddenSecret} (before)`, after: `${hiddenSecret} (after)` },
    ])
  })

  it.each([
    'https://two.example/a',
    'https://one.example.evil.test/a',
    'https://one.example@evil.test/a',
    'https://one.example\\@evil.test/',
    'https:/evil.test',
    'http://one.example/a',
    '{{ input.url }}',
    'https://one.example{{ input.rest }}',
  ])('does not follow its node to %s', async (url) => {
    const { id } = await makeWorkflow(ana, call())
    const { body } = await ana.put(`${base}/${id}`, { graph: hidden({ url }) })
    expect(body.graph.nodes[0].config).toMatchObject({ authorization: null, headers: { 'X-Api-Key': '' } })
  })

  it('is not lent to another node, another workflow or an import', async () => {
    const { id } = await makeWorkflow(ana, call())
    const copy = { nodes: hidden().nodes.map((one) => ({ ...one, id: 'copy' })), edges: [] }
    expect((await ana.put(`${base}/${id}`, { graph: copy })).body.graph.nodes[0].config.authorization).toBeNull()
    expect((await makeWorkflow(ana, hidden())).graph.nodes[0].config.authorization).toBeNull()
    const file = { format: 'chancery-workflow', version: 1, name: 'x', description: '', graph: hidden() }
    expect((await ana.post(`${base}/import`, file)).body.graph.nodes[0].config.authorization).toBeNull()
  })

  it('is hidden whatever kind of value somebody put there, and named as wrong', async () => {
    const { body } = await ana.post(base, { name: 'x', graph: call({ authorization: { token: 'sesame-5f1c' } }) })
    expect(body.graph.nodes[0].config.authorization).toBe(hiddenSecret)
    expect(body.problems).toMatchObject([{ node_id: 'call', field: 'config.authorization' }])
  })

  it('is not quoted by what is said about it', async () => {
    const { text } = await ana.post(base, {
      name: 'x',
      graph: call({ headers: { Cookie: 'a={{ open sesame-5f1c }}' } }),
    })
    expect(JSON.parse(text).problems).toMatchObject([{ field: 'config.headers.Cookie' }])
    expect(text).not.toContain('sesame-5f1c')
  })

  it('that cannot be opened any more does not take its workflow with it', async () => {
    const [one, other] = [await makeWorkflow(ana, call()), await makeWorkflow(ana, call())]
    await sql`update workflows set graph = (select graph from workflows where id = ${one.id}) where id = ${other.id}`.execute(
      app.db,
    )
    const { status, body } = await ana.get(`${base}/${other.id}`)
    expect(status).toBe(200)
    expect(body.graph.nodes[0].config.authorization).toBeNull()
  })
})

describe('a file', () => {
  it('carries the workflow without its secrets, and makes the same workflow elsewhere', async () => {
    const flow = await makeWorkflow(ana, { ...call(), settings: { deadline_sec: 60 } }, 'Portable')
    const file = (await ana.get(`${base}/${flow.id}/export`)).body
    expect(file).toEqual({
      format: 'chancery-workflow',
      version: 1,
      name: 'Portable',
      description: '',
      graph: {
        ...flow.graph,
        nodes: [
          { ...flow.graph.nodes[0], config: { url: 'https://one.example/a', headers: { accept: 'text/plain' } } },
        ],
      },
    })
    const ben = await app.user()
    const { status, body } = await ben.post(`${base}/import`, file)
    expect([status, body.name, body.status, body.author.id]).toEqual([201, 'Portable', 'Draft', ben.id])
    expect(body.graph).toEqual(file.graph)
  })

  it('of another kind or version is refused', async () => {
    const file = {
      format: 'chancery-workflow',
      version: 1,
      name: 'x',
      description: '',
      graph: { nodes: [], edges: [] },
    }
    for (const change of [{ format: 'other' }, { version: 2 }, { graph: undefined }, { secrets: [] }])
      expect((await ana.post(`${base}/import`, { ...file, ...change })).status).toBe(422)
  })
})
