/** Cron triggers over HTTP: what they are made of, and what is wrong with a timetable. */
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import { workflowsPath as base, makeWorkflow } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user({ org: 'cron' })

const makeCron = async (workflowId: string, more: object = {}) => {
  const reply = await ana.post(`${base}/${workflowId}/triggers/cron`, { name: 'Often', cron: '* * * * *', ...more })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const pathOf = (trigger: { id: string; workflow_id: string }) => `${base}/${trigger.workflow_id}/triggers/${trigger.id}`

describe('a cron trigger', () => {
  it('has a timetable in a time zone, and shows its next five times', async () => {
    const { id } = await makeWorkflow(ana)
    const body = { name: 'Mornings', cron: '0 6 * * *', timezone: 'Europe/Berlin', input: ['for', 'them'] }
    const { status, body: made } = await ana.post(`${base}/${id}/triggers/cron`, body)
    expect(status).toBe(201)
    expect(made).toEqual({
      id: expect.any(String),
      workflow_id: id,
      kind: 'cron',
      ...body,
      misfire: 'fire_once',
      enabled: true,
      catalog_id: null,
      space_id: null,
      created_at: expect.any(Number),
      next_times: expect.any(Array),
    })
    const hours = new Intl.DateTimeFormat('de', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' })
    expect(made.next_times.map((time: number) => hours.format(time * 1000))).toEqual(Array(5).fill('06:00'))
    expect((await ana.get(`${base}/${id}/triggers`)).body.items).toEqual([made])
  })

  it('shows the next five times of a timetable before it exists, or what is wrong with it', async () => {
    const { id } = await makeWorkflow(ana)
    const tried = async (body: object) => (await ana.post(`${base}/${id}/triggers/cron/test`, body)).body
    const good = await tried({ cron: '30 7 * * 1', timezone: 'Asia/Tokyo' })
    const days = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Asia/Tokyo' })
    expect(good.error).toBeNull()
    expect(good.next_times.map((time: number) => days.format(time * 1000))).toEqual(Array(5).fill('Mon'))
    expect(await tried({ cron: '61 * * * *' })).toMatchObject({ error: { field: 'cron' }, next_times: [] })
    expect(await tried({ cron: '' })).toMatchObject({ error: { field: 'cron' } })
    expect(await tried({ cron: '0 0 30 2 *' })).toMatchObject({ error: { message: 'This schedule is never due.' } })
    expect(await tried({ cron: '0 0 * * *', timezone: 'Nowhere' })).toMatchObject({ error: { field: 'timezone' } })
    expect((await ana.get(`${base}/${id}/triggers`)).body.total).toBe(0)
  })

  it('is refused with a timetable or a time zone that is none, by field', async () => {
    const { id } = await makeWorkflow(ana)
    const made = await makeCron(id, { enabled: false })
    for (const [body, field] of [
      [{ cron: 'every day' }, 'cron'],
      [{ cron: '* * * * *', timezone: 'Nowhere' }, 'timezone'],
    ] as const) {
      const replies = [
        await ana.post(`${base}/${id}/triggers/cron`, { name: 'X', ...body }),
        await ana.patch(pathOf(made), body),
      ]
      for (const reply of replies) {
        expect(reply.status).toBe(422)
        expect(reply.body.detail[0].loc).toEqual(['body', field])
      }
    }
  })

  it('can be changed in part, and keeps its next time where that is not touched', async () => {
    const { id } = await makeWorkflow(ana)
    const made = await makeCron(id, { cron: '0 3 * * *', input: 'text' })
    const change = { name: 'Renamed', misfire: 'skip', input: [1, { two: null }] }
    expect((await ana.patch(pathOf(made), change)).body).toEqual({ ...made, ...change })
    expect((await ana.patch(pathOf(made), { input: null })).body.input).toBeNull()
    const moved = (await ana.patch(pathOf(made), { timezone: 'Asia/Tokyo' })).body
    expect(moved.next_times[0] % 86_400).toBe(18 * 3600)
    expect((await ana.patch(pathOf(made), {})).body).toEqual(moved)
  })
})
