/**
 * What models of others cost: `GET /api/models` of a person with three models, and the making of one more, on an
 * instance with few models and with 5,000 (`npm run bench -- models [count] [checkout]`). Processor time of the server.
 */
import { createPool, type Pool } from '../../server/src/kernel/db/database.ts'
import { signUp } from '../lib/person.ts'
import { startPostgres } from '../lib/postgres.ts'
import { startServer } from '../lib/server.ts'

const rounds = 400
const warmUp = 200
const made = 40

const addModels = async (pool: Pool, count: number): Promise<void> => {
  await pool.query(
    `with people as (
       insert into users (id, name, email, role, created_at)
       select gen_random_uuid(), 'Other', gen_random_uuid() || '@bench.test', 'ROLE_USER', now()
       from generate_series(1, $1 / 50 + 1) returning id),
     numbered as (select id, row_number() over () - 1 as n from people)
     insert into models (id, base_model_id, name, params, meta, owner_kind, owner_id, is_restricted, is_active, created_at, updated_at)
     select 'other-' || m, 'guide', 'Model ' || m, jsonb_build_object('system', repeat('Answer well. ', 100)), '{}', 'user',
       (select id from numbered where n = m / 50), true, true, now(), now()
     from generate_series(1, $1) as m`,
    [count],
  )
  await pool.query(`update shared_copies set changes = changes + 1 where topic = 'models'`)
}

export const run = async (): Promise<void> => {
  const count = Number(process.argv[3] ?? 5000)
  const postgres = await startPostgres()
  const server = await startServer({ DATABASE_URL: postgres.url }, process.argv[4])
  const pool = createPool({ connectionString: postgres.url, max: 2 })
  const { key } = await signUp(server.url)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(server.url + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }
  let models = 0
  const make = () => {
    models += 1
    return ask('/api/v1/models/create', { id: `own-${models}`, name: `Own ${models}`, base_model_id: 'guide' })
  }
  const spent = async (times: number, work: () => Promise<unknown>): Promise<string> => {
    const before = server.processorMs()
    for (let round = 0; round < times; round += 1) await work()
    return `${((server.processorMs() - before) / times).toFixed(2)} ms`
  }
  const measure = async (what: string): Promise<void> => {
    for (let round = 0; round < warmUp; round += 1) await ask('/api/models')
    console.log(`${what}: list ${await spent(rounds, () => ask('/api/models'))}`)
    console.log(`${what}: me ${await spent(rounds, () => ask('/api/auth/me'))}`)
    console.log(`${what}: one more model ${await spent(made, make)}`)
  }
  for (let round = 0; round < 3; round += 1) await make()
  await measure('few models')
  for (let id = 4; id <= models; id += 1)
    await fetch(`${server.url}/api/v1/models/model/delete?id=own-${id}`, { method: 'DELETE', headers })
  await addModels(pool, count)
  // The next check finds the count.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await measure(`${count} models of others`)
  await pool.end()
  await server.stop()
  await postgres.stop()
}
