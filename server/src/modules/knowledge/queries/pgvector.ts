/**
 * SQL for the copy of the vectors that pgvector searches. The table isn't made by a migration: it exists only where the
 * database has the extension. Functions are named with the extension's schema, which need not be in the search path.
 */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Scope } from '../scope.ts'
import { inScope } from './search.ts'

/**
 * Makes the extension and the table where they are missing. Returns the extension's schema, quoted; undefined where the
 * server doesn't have the extension. Fails where the database's user may not create it.
 */
export const preparePgvectorUnscoped = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(db)
  if (rows.length === 0) return undefined
  const known = await findPgvector(db)
  if (known?.hasTable) return known.schema
  return db.transaction().execute(async (tx) => {
    // Two nodes may start at once.
    await sql`select pg_advisory_xact_lock(hashtextextended('knowledge pgvector', 0))`.execute(tx)
    await sql`create extension if not exists vector`.execute(tx)
    const found = await findPgvector(tx)
    if (!found) throw new Error('The extension vector could not be created.')
    if (!found.hasTable) await createTable(tx, found.schema)
    return found.schema
  })
}

/** Dropping the extension leaves a table without the column. */
const findPgvector = async (db: Db): Promise<{ schema: string; hasTable: boolean } | undefined> => {
  const { rows } = await sql<{ schema: string; hasTable: boolean }>`
    select quote_ident(n.nspname) as schema, exists (
      select from pg_attribute where attrelid = to_regclass('knowledge_pgvectors') and attname = 'vector' and not attisdropped
    ) as "hasTable"
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`.execute(db)
  return rows[0]
}

const createTable = async (tx: Db, schema: string): Promise<void> => {
  await sql`drop table if exists knowledge_pgvectors`.execute(tx)
  await sql`
    create table knowledge_pgvectors (
      engine    text not null,
      text_hash bytea not null,
      vector    ${sql.raw(schema)}.vector not null,
      primary key (engine, text_hash),
      foreign key (engine, text_hash) references knowledge_vectors on delete cascade
    )`.execute(tx)
}

export interface KeyedVector {
  engine: string
  textHash: Buffer
  vector: Buffer
}

/** The extension's limit is 16,000 numbers. Longer vectors are not copied, and their scopes are searched in memory. */
const maxVectorBytes = 16_000 * 4

/** Vectors that have no copy yet, of one file or of all, in the order of their key. */
export const listUncopiedUnscoped = async (
  db: Db,
  { fileId, after, limit }: { fileId: string | undefined; after: KeyedVector | undefined; limit: number },
): Promise<KeyedVector[]> => {
  const ofFile = fileId
    ? sql`and text_hash in (select text_hash from knowledge_chunks where file_id = ${fileId})`
    : sql``
  const rest = after ? sql`and (engine, text_hash) > (${after.engine}, ${after.textHash})` : sql``
  const { rows } = await sql<KeyedVector>`
    select engine, text_hash as "textHash", vector from knowledge_vectors v
    where octet_length(vector) between 4 and ${sql.lit(maxVectorBytes)} ${ofFile} ${rest}
      and not exists (select from knowledge_pgvectors p where p.engine = v.engine and p.text_hash = v.text_hash)
    order by engine, text_hash limit ${limit}`.execute(db)
  return rows
}

/** A vector that was deleted meanwhile is left out. */
export const copyVectorsUnscoped = async (db: Db, schema: string, rows: readonly KeyedVector[]): Promise<void> => {
  if (rows.length === 0) return
  const [engines, hashes] = [rows.map(({ engine }) => engine), rows.map(({ textHash }) => textHash.toString('hex'))]
  const vectors = rows.map(({ vector }) => textOf(numbersOf(vector)))
  await sql`
    insert into knowledge_pgvectors (engine, text_hash, vector)
    select v.engine, v.text_hash, given.vector::${sql.raw(schema)}.vector
    from unnest(${engines}::text[], ${hashes}::text[], ${vectors}::text[]) as given (engine, text_hash, vector)
    join knowledge_vectors v on v.engine = given.engine and v.text_hash = decode(given.text_hash, 'hex')
    for key share of v on conflict do nothing`.execute(db)
}

/** A copy, because a view of numbers must begin at a multiple of four. */
const numbersOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)

const textOf = (vector: Float32Array): string => `[${vector.join(',')}]`

/** True when every vector of a scope has its copy. */
export const isCopiedUnscoped = async (db: Db, scope: Scope, engine: string): Promise<boolean> => {
  const { rows } = await sql`
    select from knowledge_chunks c join knowledge_vectors v on v.engine = ${engine} and v.text_hash = c.text_hash
    where ${inScope(scope, sql`c.file_id`)} and octet_length(v.vector) > 0
      and not exists (select from knowledge_pgvectors p where p.engine = v.engine and p.text_hash = v.text_hash)
    limit 1`.execute(db)
  return rows.length === 0
}

interface Search {
  schema: string
  engine: string
  vector: Float32Array
  limit: number
}

/** Exact. Vectors of another length, of an engine that was changed behind its name, can't be compared. */
export const searchPgvectorUnscoped = async (
  db: Db,
  scope: Scope,
  { schema, engine, vector, limit }: Search,
): Promise<{ id: number; score: number }[]> => {
  const extension = sql.raw(schema)
  const { rows } = await sql<{ id: number; score: number }>`
    select c.id, ${extension}.inner_product(p.vector, ${textOf(vector)}::${extension}.vector) as score
    from knowledge_chunks c join knowledge_pgvectors p on p.engine = ${engine} and p.text_hash = c.text_hash
    where ${inScope(scope, sql`c.file_id`)} and ${extension}.vector_dims(p.vector) = ${vector.length}
    order by score desc, c.id limit ${limit}`.execute(db)
  return rows
}
