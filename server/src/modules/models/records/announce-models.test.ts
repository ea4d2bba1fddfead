/** Who is told that their list of models changed. */
import {
  modelsTopic,
  socketEvent,
  topicChanged,
  unwatchMessage,
  watchMessage,
} from '@chancery/contract/chats/events.ts'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import { createSockets } from '#test/harness/sockets.ts'

const app = await testApp()
const { connectAs } = createSockets(app.url)

const watch = async (person: Person, id = person.id) => {
  const socket = await connectAs(person)
  const told: unknown[] = []
  socket.on(socketEvent, ({ data }) => {
    if (data.type === topicChanged) told.push(data.data)
  })
  const reply = await socket.emitWithAck(watchMessage, { topic: modelsTopic, id })
  return { socket, told, reply, change: { topic: modelsTopic, id } }
}

let models = 0
const make = async (person: Person, access_grants: unknown[] = []) => {
  models += 1
  const id = `told-${models}`
  const made = await person.post('/api/v1/models/create', { id, name: id, base_model_id: 'guide', access_grants })
  expect(made, made.text).toMatchObject({ status: 201 })
  return id
}
const grant = (principal_type: string, principal_id: string | null) => ({
  principal_type,
  principal_id,
  permission: 'read',
})

describe('a list of models that is watched', () => {
  it('is told to those who may use what changed, and to nobody else', async () => {
    const [ana, ben] = [await app.user({ org: 'told' }), await app.user({ org: 'told' })]
    const stranger = await app.user({ org: 'elsewhere' })
    const [hers, his, theirs] = [await watch(ana), await watch(ben), await watch(stranger)]
    await make(ana)
    await expect.poll(() => hers.told).toEqual([hers.change])

    const shared = await make(ana, [grant('organization', ana.organizationId)])
    await expect.poll(() => his.told).toEqual([his.change])
    await ana.delete(`/api/v1/models/model/delete?id=${shared}`)
    await expect.poll(() => his.told).toHaveLength(2)

    await make(stranger)
    await expect.poll(() => theirs.told).toEqual([theirs.change])
    expect([hers.told.length, his.told.length]).toEqual([3, 2])
  })

  it('follows the groups of the person', async () => {
    const boss = await app.user({ org: 'grouped' })
    const [ana, ben] = [await app.user({ org: 'grouped' }), await app.user({ org: 'grouped' })]
    const group = (await boss.post('/api/org/groups', { name: 'Readers', memberIds: [ana.id] })).body
    const [hers, his] = [await watch(ana), await watch(ben)]
    await make(boss, [grant('group', group.id)])
    await expect.poll(() => hers.told).toHaveLength(1)
    expect(his.told).toEqual([])
    await boss.patch(`/api/org/groups/${group.id}`, { memberIds: [ben.id] })
    await expect.poll(async () => (await ben.get('/api/models')).body.data.length).toBe(2)
    await make(boss, [grant('group', group.id)])
    await expect.poll(() => his.told.length).toBeGreaterThanOrEqual(1)
  })

  it('is not for others to watch, and ends when it is no longer watched', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    expect((await watch(ana, ben.id)).reply).toEqual({ watching: false })
    const own = await watch(ana)
    expect(own.reply).toEqual({ watching: true })
    await make(ana)
    await expect.poll(() => own.told).toHaveLength(1)
    own.socket.emit(unwatchMessage, { topic: modelsTopic, id: ana.id })
    await own.socket.emitWithAck('heartbeat', {})
    const other = await watch(ana)
    await make(ana)
    await expect.poll(() => other.told).toHaveLength(1)
    expect(own.told).toHaveLength(1)
  })
})
