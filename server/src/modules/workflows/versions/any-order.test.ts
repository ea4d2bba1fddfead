/** Actions in any order: what a workflow is afterwards is what a few lines of plain rules say, and its versions add up. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import { workflowsPath as base, chain, makeWorkflow } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()

interface Model {
  status: 'Draft' | 'Staged' | 'Published'
  node: string
  fires: boolean
  live: number | null
  /** Each version's node, from the first on, and whether it was published. */
  versions: { node: string; type: 'Published' | 'Manual' }[]
}
type Action = (
  model: Model,
  choice: number,
) => { status: number; path: string; body?: object; method?: 'PUT'; next: Model }

const nodes = ['red', 'green', 'blue']
const pick = <Item>(list: readonly Item[], choice: number): Item | undefined => list[choice % Math.max(list.length, 1)]

const actions: Record<string, Action> = {
  edit: (model, choice) => {
    const node = pick(nodes, choice) ?? ''
    const next = node === model.node ? model : { ...model, node, status: 'Draft' as const }
    return { method: 'PUT', path: '', body: { graph: chain(node) }, status: 200, next }
  },
  submit: (model) =>
    model.status === 'Draft'
      ? { path: '/submit', status: 200, next: { ...model, status: 'Staged' } }
      : { path: '/submit', status: 409, next: model },
  approve: (model) => {
    if (model.status !== 'Staged') return { path: '/approve', status: 409, next: model }
    const versions = [...model.versions, { node: model.node, type: 'Published' as const }]
    return {
      path: '/approve',
      status: 200,
      next: { ...model, status: 'Published', fires: true, live: versions.length, versions },
    }
  },
  reject: (model) =>
    model.status === 'Staged'
      ? { path: '/reject', body: { notes: 'no' }, status: 200, next: { ...model, status: 'Draft' } }
      : { path: '/reject', body: { notes: 'no' }, status: 409, next: model },
  snapshot: (model) => {
    const versions = [...model.versions, { node: model.node, type: 'Manual' as const }]
    return { path: '/snapshot', status: 201, next: { ...model, versions } }
  },
  rollback: (model, choice) => {
    const number = (choice % Math.max(model.versions.length, 1)) + 1
    const call = { path: '/rollback', body: { version_id: String(number) } }
    const target = model.versions[number - 1]
    if (!target) return { ...call, status: 404, next: model }
    if (model.status === 'Staged') return { ...call, status: 409, next: model }
    const versions = [...model.versions, { node: model.node, type: 'Manual' as const }]
    return { ...call, status: 200, next: { ...model, status: 'Draft', fires: false, node: target.node, versions } }
  },
}

const expectSame = async (id: string, model: Model): Promise<void> => {
  const { body } = await ana.get(`${base}/${id}`)
  const liveNode = model.live === null ? undefined : model.versions[model.live - 1]?.node
  expect(body).toMatchObject({
    status: model.status,
    fires: model.fires,
    live_version: model.live,
    graph: chain(model.node),
    has_changes: liveNode !== model.node,
  })
  const { versions } = (await ana.get(`${base}/${id}/versions`)).body
  const expected = model.versions.map(({ type }, index) => ({
    version: index + 1,
    type,
    live: index + 1 === model.live,
  }))
  expect(versions).toMatchObject(expected.reverse())
}

describe('a workflow', () => {
  it('ends where its actions lead, in whatever order they come', async () => {
    const anyActions = fc.array(fc.tuple(fc.constantFrom(...Object.keys(actions)), fc.nat(20)), {
      minLength: 5,
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(anyActions, async (chosen) => {
        const { id } = await makeWorkflow(ana, chain('red'))
        let model: Model = { status: 'Draft', node: 'red', fires: false, live: null, versions: [] }
        for (const [name, choice] of chosen) {
          const { method = 'POST', path, body, status, next } = actions[name]?.(model, choice) ?? expect.fail(name)
          const reply = await (method === 'PUT'
            ? ana.put(`${base}/${id}`, body)
            : ana.post(`${base}/${id}${path}`, body))
          expect(reply.status, `${name} of a ${model.status}`).toBe(status)
          model = next
        }
        await expectSame(id, model)
      }),
      { numRuns: 12 },
    )
  })
})
