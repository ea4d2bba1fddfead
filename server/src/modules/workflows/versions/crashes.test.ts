/**
 * Publishing and rolling back with a crash between every two of their statements: nothing of it may have happened, and
 * the same action again must succeed. The points are those that an undisturbed action passes, so that none is forgotten.
 */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { workflowsPath as base, chain, makePublished } from '#test/harness/workflows.ts'

let passed: string[] = []
let armed: string | undefined
const app = await testApp({
  failpoints: {
    hit: (point) => {
      passed.push(point)
      if (point === armed) throw new Error(`crashed at ${point}`)
    },
  },
})
const ana = await app.user()

/** Everything that a action could have left behind. */
const tracesOf = async (id: string) => ({
  workflow: await app.db.selectFrom('workflows').selectAll().where('id', '=', id).executeTakeFirst(),
  versions: await app.db.selectFrom('workflowVersions').selectAll().where('workflowId', '=', id).execute(),
  graphs: await app.db.selectFrom('workflowGraphs').selectAll().where('workflowId', '=', id).orderBy('hash').execute(),
  audit: await app.db.selectFrom('auditLog').select('id').where('targetId', '=', id).orderBy('id').execute(),
})

const actions = {
  publish: {
    prepare: async () => {
      const { id } = await makePublished(ana, chain('old'))
      await ana.put(`${base}/${id}`, { graph: chain('new') })
      await ana.post(`${base}/${id}/submit`)
      return id as string
    },
    perform: (id: string) => ana.post(`${base}/${id}/approve`),
    outcome: { status: 'Published', live_version: 2, fires: true, graph: chain('new') },
  },
  rollback: {
    prepare: async () => {
      const { id } = await makePublished(ana, chain('old'))
      await ana.put(`${base}/${id}`, { graph: chain('new') })
      return id as string
    },
    perform: (id: string) => ana.post(`${base}/${id}/rollback`, { version_id: '1' }),
    outcome: { status: 'Draft', live_version: 1, fires: false, graph: chain('old') },
  },
}

/** In the order of an undisturbed action, those after the commit last. */
const pointsOf = async (name: keyof typeof actions): Promise<string[]> => {
  const { prepare, perform } = actions[name]
  const id = await prepare()
  passed = []
  await perform(id)
  return passed.filter((point) => point.startsWith(`workflow ${name}: `))
}

describe.each(['publish', 'rollback'] as const)('a %s', (name) => {
  const { prepare, perform, outcome } = actions[name]

  it('that crashes anywhere has happened in whole or not at all, and can be done again', async () => {
    const points = await pointsOf(name)
    expect(points.length).toBeGreaterThanOrEqual(6)
    for (const point of points) {
      const id = await prepare()
      const before = await tracesOf(id)
      armed = point
      expect((await perform(id)).status, point).toBe(500)
      armed = undefined
      if (!point.endsWith(': committed')) {
        expect(await tracesOf(id), point).toEqual(before)
        expect((await perform(id)).status, point).toBe(200)
      }
      expect((await ana.get(`${base}/${id}`)).body, point).toMatchObject(outcome)
      const { versions } = await tracesOf(id)
      expect(versions.map(({ version }) => version).sort(), point).toEqual([1, 2])
    }
  })
})
