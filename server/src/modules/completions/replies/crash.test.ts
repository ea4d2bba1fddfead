/** P4: no message stays pending when the process that wrote it is gone. */
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, type TestAppOptions, testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import type { Person } from '#test/harness/people.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'
import { launchChancery } from '#test/process/chancery.ts'
import { tempFolder } from '#test/process/temp-folder.ts'
import { leaseMs } from './heartbeat.ts'

const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url }
const later = { prefer: 'respond-async' }

const startHeld = async (person: Person) => {
  const chat = await prepareChat(person)
  const held = gate()
  held.open()
  provider.script({ chunks: ['It is', ' noon'], gate: held })
  const count = provider.calls().length
  const reply = await person.post('/api/chat/completions', { model: 'swift', stream: true, ...chat.body }, later)
  expect(reply.status).toBe(202)
  await provider.call(count + 1)
  return { chat, held, taskId: reply.body.task_ids[0] as string }
}

const silence = async (app: TestApp, taskId: string) => {
  const silentSince = new Date(app.clock.now().getTime() - leaseMs - 1)
  await app.db.updateTable('replyTasks').set({ beatAt: silentSince }).where('id', '=', taskId).execute()
}

/** As if the nodes were frozen: no heartbeat arrives from here on, whatever they write. */
const dropHeartbeats = async ({ db }: TestApp) => {
  await sql`create function drop_heartbeat() returns trigger language plpgsql
    as 'begin new.beat_at := statement_timestamp() - interval ''1 minute''; return new; end'`.execute(db)
  await sql`create trigger drop_heartbeat before update on reply_tasks
    for each row execute function drop_heartbeat()`.execute(db)
  return () => sql`drop trigger drop_heartbeat on reply_tasks`.execute(db)
}

const app = await testApp({ env, timings: { replySaveMs: 50 } })
const ana = await app.user()
const startOther = (options: Pick<TestAppOptions, 'clockAheadMs' | 'drainMs'> = {}) =>
  testApp({ databaseUrl: app.databaseUrl, env: { ...env, DATABASE_URL: app.databaseUrl }, ...options })

describe('a reply whose node is gone', () => {
  it('is ended once its lease is over: what was saved stays, with the error', async () => {
    const { chat, held, taskId } = await startHeld(ana)
    await vi.waitFor(async () => expect(await chat.message()).toMatchObject({ content: 'It is' }), { timeout: 10_000 })
    const letHeartbeatsArrive = await dropHeartbeats(app)
    await silence(app, taskId)

    const other = await startOther()
    expect(await chat.done()).toMatchObject({ content: 'It is', error: { code: 'reply_interrupted' } })

    // The first node was only slow. What it has to say now, it says to nobody.
    held.openForGood()
    await vi.waitFor(async () =>
      expect((await ana.get(`/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/stream`)).text).toContain(
        '"done":true',
      ),
    )
    expect(await chat.message()).toMatchObject({ content: 'It is', error: { code: 'reply_interrupted' } })
    await letHeartbeatsArrive()
    await other.stop()
  })

  it('goes on where its own node was only without the database for longer than the lease', async () => {
    const { chat, held, taskId } = await startHeld(ana)
    await silence(app, taskId)
    app.clock.forward({ ms: 1000 })
    const isRenewed = sql<boolean>`beat_at > statement_timestamp() - interval '20 seconds'`.as('isRenewed')
    const task = () => app.db.selectFrom('replyTasks').select(isRenewed).where('id', '=', taskId).executeTakeFirst()
    await expect.poll(task).toMatchObject({ isRenewed: true })
    held.openForGood()
    expect(await chat.done()).toMatchObject({ content: 'It is noon' })
  })

  it('is left to its own node when none had the database for longer than the lease, whichever looks first', async () => {
    const other = await startOther()
    const { chat, held, taskId } = await startHeld(ana)
    await silence(app, taskId)
    // The other node looks at once, this one within a second.
    other.clock.forward({ ms: 1000 })
    const isRenewed = sql<boolean>`beat_at > statement_timestamp() - interval '20 seconds'`.as('isRenewed')
    const task = () => app.db.selectFrom('replyTasks').select(isRenewed).where('id', '=', taskId).executeTakeFirst()
    await expect.poll(task, { timeout: 10_000 }).toMatchObject({ isRenewed: true })
    held.openForGood()
    const message = await chat.done()
    expect(message).toMatchObject({ content: 'It is noon' })
    expect(message.error).toBeUndefined()
    await other.stop()
  })

  it('is kept and written when it ends while the database is away, however long that takes', {
    timeout: 60_000,
  }, async () => {
    const { chat, held, taskId } = await startHeld(ana)
    await sql`create sequence refused`.execute(app.db)
    await sql`create function be_away() returns trigger language plpgsql
      as 'begin perform nextval(''refused''); raise sqlstate ''57P03''; end'`.execute(app.db)
    await sql`create trigger be_away before delete on reply_tasks for each row execute function be_away()`.execute(
      app.db,
    )
    const attempts = async () => {
      const { rows } = await sql<{ made: number }>`select last_value::int as made from refused`.execute(app.db)
      return rows[0]?.made
    }
    held.openForGood()
    await expect.poll(attempts, { timeout: 40_000 }).toBeGreaterThan(5)
    expect(await chat.message()).toMatchObject({ done: false })
    await sql`drop trigger be_away on reply_tasks`.execute(app.db)
    const message = await chat.done()
    expect(message).toMatchObject({ content: 'It is noon' })
    expect(message.error).toBeUndefined()
    expect(await app.db.selectFrom('replyTasks').select('id').where('id', '=', taskId).execute()).toEqual([])
  })

  it('is left alone while its node renews its heartbeat, also by a node whose clock is ten minutes ahead', async () => {
    const { chat, held } = await startHeld(ana)
    const other = await startOther({ clockAheadMs: 600_000 })
    expect(await chat.message()).toMatchObject({ done: false })
    held.openForGood()
    expect(await chat.done()).toMatchObject({ content: 'It is noon' })
    await other.stop()
  })

  it('can be stopped from another node while it lives, and is ended with an error by a stop that can’t wait for it', async () => {
    const other = await startOther({ drainMs: 100 })
    const elsewhere = { ...ana, ...createClient(other.url, bearer(ana.token)) }
    const here = await startHeld(ana)
    expect(await elsewhere.post(`/api/tasks/stop/${here.taskId}`)).toMatchObject({ status: 200 })
    expect((await here.chat.done()).error).toBeUndefined()

    const { chat } = await startHeld(elsewhere)
    // A stream without a chat is no different: the same stop ends it with the same error.
    const held = gate()
    held.open()
    provider.script({ chunks: ['It is', ' noon'], gate: held })
    const count = provider.calls().length
    const messages = [{ role: 'user', content: 'x' }]
    const reading = elsewhere.post('/api/chat/completions', { model: 'swift', stream: true, messages })
    const call = await provider.call(count + 1)
    await other.stop()
    const { body } = await ana.get(`/api/v1/chats/${chat.chatId}`)
    expect(body.chat.history.messages[chat.messageId]).toMatchObject({
      content: 'It is',
      done: true,
      error: { code: 'reply_interrupted' },
    })
    const frames = framesIn((await reading).text)
    expect(frames.slice(-2)).toMatchObject([{ error: { code: 'reply_interrupted' } }, '[DONE]'])
    expect(await call.ended).toBe(false)
  })

  it('after kill -9 is done with an error as soon as the server is back', { timeout: 90_000 }, async () => {
    const database = await cloneDatabase()
    atEnd(database.drop)
    const doomed = launchChancery({
      dataDir: await tempFolder(),
      env: { ...env, ...testSecrets, DATABASE_URL: database.url },
    })
    const url = await doomed.ready
    const account = { name: 'Ana', email: 'ana@example.org', password: 'a long quiet river' }
    const { body } = await createClient(url).post('/api/auth/register', account)
    const personAt = (address: string) => ({
      ...body.user,
      token: body.token,
      ...createClient(address, bearer(body.token)),
    })
    const { chat } = await startHeld(personAt(url))
    await vi.waitFor(async () => expect(await chat.message()).toMatchObject({ content: 'It is' }), { timeout: 10_000 })
    expect(await doomed.end('SIGKILL')).toBe('SIGKILL')

    const again = personAt((await testApp({ databaseUrl: database.url, env })).url)
    await vi.waitFor(
      async () => {
        const reply = await again.get(`/api/v1/chats/${chat.chatId}`)
        expect(reply.body.chat.history.messages[chat.messageId]).toMatchObject({
          content: 'It is',
          done: true,
          error: { code: 'reply_interrupted' },
        })
      },
      { timeout: 20_000, interval: 100 },
    )
  })
})
