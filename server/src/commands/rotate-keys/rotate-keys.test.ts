/** Changing the key: a value in every place where one is stored is readable before, between and after, and then only new. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { loadSecrets } from '#kernel/config/secrets.ts'
import { type StoredSeal, sealContextOf, storedSeals } from '#kernel/crypto/seal-context.ts'
import { createSealer, type Sealer } from '#kernel/crypto/sealer.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { makeFolder } from '#test/process/temp-folder.ts'
import '../../app.ts'
import { runCommand } from '../run-command.ts'
import { commands } from '../table.ts'

const [oldKey, newKey] = [
  'the old key that is long enough for the rule of 32',
  'the new key that is long enough for the rule of 32',
]
const before = createSealer({ current: oldKey, previous: [] })
const after = createSealer({ current: newKey, previous: [] })

let url = ''
let client: pg.Client

interface Column {
  name: string
  type: string
  isNeeded: boolean
}

const known = new Map<string, Column[]>()

const columnsOf = async (table: string): Promise<Column[]> => {
  const found = known.get(table)
  if (found) return found
  const { rows } = await client.query<Column>(
    `select column_name as name, data_type as type, is_nullable = 'NO' and column_default is null as "isNeeded"
     from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  )
  known.set(table, rows)
  return rows
}

const anything: Readonly<Record<string, () => unknown>> = {
  text: () => `some ${randomUUID()}`,
  uuid: () => randomUUID(),
  jsonb: () => '{}',
  bytea: () => Buffer.from(randomUUID()),
  'timestamp with time zone': () => new Date(),
  boolean: () => true,
  ARRAY: () => '{}',
}

/** In JSON somewhere in the middle. */
const stored = (type: string, sealed: string) =>
  type === 'jsonb' ? JSON.stringify([{ deep: [null, sealed] }]) : sealed
const found = (type: string, text: string) => (type === 'jsonb' ? JSON.parse(text)[0].deep[1] : text)

const seedTable = async (table: string, sealer: Sealer): Promise<void> => {
  const places = storedSeals().filter((seal) => seal.table === table)
  const columns = await columnsOf(table)
  const row = new Map(
    columns.flatMap(({ name, type, isNeeded }) => (isNeeded ? [[name, (anything[type] ?? (() => 1))()]] : [])),
  )
  for (const seal of places)
    for (const column of seal.columns) {
      const type = columns.find(({ name }) => name === column)?.type ?? ''
      const sealed = sealer.seal(
        `secret of ${table}.${column}`,
        sealContextOf(
          seal,
          seal.by.map((name) => String(row.get(name))),
        ),
      )
      row.set(column, stored(type, sealed))
    }
  const names = [...row.keys()]
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    [...row.values()],
  )
}

const tables = () => [...new Set(storedSeals().map(({ table }) => table))]

/** With every key that this sealer has; undefined for what it can't open. */
const openAll = async (sealer: Sealer): Promise<(string | undefined)[]> => {
  const opened: (string | undefined)[] = []
  for (const seal of storedSeals())
    for (const column of seal.columns) opened.push(...(await openColumn(sealer, seal, column)))
  return opened
}

const openColumn = async (sealer: Sealer, seal: StoredSeal, column: string): Promise<(string | undefined)[]> => {
  const type = (await columnsOf(seal.table)).find(({ name }) => name === column)?.type ?? ''
  const texts = [...seal.by, column].map((name) => `${name}::text`)
  const { rows } = await client.query<string[]>({
    text: `select ${texts.join(', ')} from ${seal.table}`,
    rowMode: 'array',
  })
  return rows.map((row) => {
    try {
      return sealer.open(found(type, row.at(-1) ?? ''), sealContextOf(seal, row.slice(0, -1)))
    } catch {
      return undefined
    }
  })
}

const run = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const [said, noted]: [string[], string[]] = [[], []]
  const write = { say: (line: string) => said.push(line), note: (line: string) => noted.push(line) }
  const code = await runCommand(['rotate-keys', ...args], { commands, env: { DATABASE_URL: url, ...env }, ...write })
  return { code, said: said.join('\n'), noted: noted.join('\n') }
}

const rotated = { JWT_SECRET: 'j'.repeat(64), SVC_SECRET_KEY: newKey, SVC_SECRET_KEYS_PREVIOUS: oldKey }

beforeAll(async () => {
  const database = await cloneDatabase()
  atEnd(database.drop)
  url = database.url
  client = new pg.Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  // Rows of one table each: what they would refer to is not there.
  await client.query(`do $$ declare c record; begin
    for c in select conrelid::regclass as t, conname from pg_constraint where contype in ('f', 'c') and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint if exists %I', c.t, c.conname); end loop; end $$`)
})

const seed = async (sealer: Sealer): Promise<number> => {
  for (const table of tables()) {
    await client.query(`delete from ${table}`)
    await seedTable(table, sealer)
  }
  return (await openAll(sealer)).length
}

describe('where sealed values are stored', () => {
  it('is declared for every column with such a name', async () => {
    /** Keys of files, and who made a seal. */
    const others = ['seals.sealed_by', 'signing_documents.sealed_key', 'signing_documents.sealed_sha256']
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like 'sealed%' and data_type in ('text', 'jsonb')`,
    )
    const declared = storedSeals().flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
    expect(rows.map(({ name }) => name).filter((name) => !declared.includes(name) && !others.includes(name))).toEqual(
      [],
    )
  })
})

describe('rotate-keys', () => {
  it('leaves everything readable with the new key alone, and nothing with the old one', async () => {
    const count = await seed(before)
    expect(await openAll(after)).toEqual(Array(count).fill(undefined))
    expect(await run(rotated)).toMatchObject({
      code: 0,
      said: `Encrypted ${count} values again.\nNothing needs SVC_SECRET_KEYS_PREVIOUS any more: remove it and restart the servers.`,
    })
    expect(await openAll(after)).not.toContain(undefined)
    expect(await openAll(before)).toEqual(Array(count).fill(undefined))
    expect((await run(rotated)).said).toContain('Encrypted 0 values again.')
  })

  it('may be interrupted: both keys together read everything, and the next time does the rest', async () => {
    const count = await seed(before)
    await client.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'the power is gone'; end $$;
      create trigger fail before update on workflows for each row execute function fail()`)
    expect(await run(rotated)).toMatchObject({ code: 1, noted: expect.stringContaining('the power is gone') })
    const half = (await openAll(after)).filter((value) => value !== undefined).length
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(count)
    expect(await openAll(createSealer({ current: newKey, previous: [oldKey] }))).not.toContain(undefined)
    await client.query('drop trigger fail on workflows')
    expect((await run(rotated)).said).toContain(`Encrypted ${count - half} values again.`)
    expect(await openAll(after)).not.toContain(undefined)
  })

  it('makes the new key itself where it is generated, and the former one is gone from the folder afterwards', async () => {
    const folder = await makeFolder()
    const { SVC_SECRET_KEY: generated } = loadSecrets(folder, readConfig({ SVC_DATA_DIR: folder }))
    const count = await seed(createSealer({ current: generated, previous: [] }))
    expect(await run({ SVC_DATA_DIR: folder }, '--new')).toMatchObject({ code: 0 })
    const kept = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
    expect(kept).toEqual({
      JWT_SECRET: expect.any(String),
      ADMIN_SETUP_KEY: expect.any(String),
      SVC_SECRET_KEY: expect.any(String),
    })
    expect(await openAll(createSealer({ current: kept.SVC_SECRET_KEY, previous: [] }))).not.toContain(undefined)
    expect(await openAll(createSealer({ current: generated, previous: [] }))).toEqual(Array(count).fill(undefined))
    const refused = await run({ SVC_DATA_DIR: folder, ...rotated }, '--new')
    expect(refused).toMatchObject({ code: 1, noted: expect.stringContaining('set it to a new value yourself') })
  })

  it('changes nothing while a server runs that could not read it, and names what no key opens', async () => {
    const count = await seed(before)
    const renew = (opens: readonly string[]) =>
      client.query(
        `insert into live_nodes (id, seen_at, works, hears, opens) values ($1, now() + interval '1 hour', true, '{}', $2)`,
        [randomUUID(), opens],
      )
    await renew(before.keyIds)
    expect(await run(rotated)).toMatchObject({
      code: 1,
      noted: expect.stringContaining("1 running server processes don't have the current SVC_SECRET_KEY"),
    })
    expect(await openAll(before)).not.toContain(undefined)
    await client.query('delete from live_nodes')
    await renew([...after.keyIds, ...before.keyIds])
    const lost = await run({ ...rotated, SVC_SECRET_KEYS_PREVIOUS: 'not the one that was used here before' })
    expect(lost).toMatchObject({ code: 0, noted: expect.stringContaining(`${count} values can't be decrypted`) })
    await client.query('delete from live_nodes')
  })

  it('leaves the graphs of versions as immutable as before', async () => {
    await seed(before)
    await client.query(`set chancery.rotating_keys = 'on'`)
    await expect(client.query(`update workflow_graphs set graph = '[]'`)).rejects.toThrow('snapshots are immutable')
    await client.query(`set chancery.rotating_keys = 'off'`)
    await expect(client.query('update workflow_graphs set graph = graph')).rejects.toThrow('snapshots are immutable')
  })
})
