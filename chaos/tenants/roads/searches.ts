import { sql } from 'kysely'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const chats = 100_000

export const chatSearches: Road = {
  name: 'chat-searches',
  rows: '11',
  what: `searches for a common word over ${chats} chats`,
  prepare: async ({ db, newAttacker }) => {
    const eve = await newAttacker()
    await sql`
      insert into chats (id, user_id, title, timestamp_ms, created_at, updated_at)
      select gen_random_uuid(), ${eve.id}, 'Note ' || n, 1, now(), now() - n * interval '1 minute'
      from generate_series(1, ${chats}::int) n`.execute(db)
    await sql`
      insert into chat_messages (chat_id, id, user_id, role, content, timestamp_sec)
      select id, gen_random_uuid(), user_id, 'user', 'a common word among others', 1
      from chats where user_id = ${eve.id}`.execute(db)
    return { run: (signal) => flood(signal, 12, () => eve.get('/api/v1/chats/search?text=common%20word')) }
  },
}

const events = 160

export const payloadSearches: Road = {
  name: 'payload-searches',
  rows: '16',
  what: `30 payload searches at a time over ${events} events of 250 kB`,
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const payload = { text: 'word '.repeat(50_000) }
    for (let index = 0; index < events; index += 1) {
      const event = { event_type: 'large', payload }
      await expectOk('an event', eve.post('/api/v1/events/ingest', event, { 'x-api-key': eve.key }))
    }
    return { run: (signal) => flood(signal, 30, () => eve.get('/api/v1/events?payload=nowhere')) }
  },
}
