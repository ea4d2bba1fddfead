/** One table, in portions along its primary key. A row that a server changes meanwhile stays as the server left it. */
import pg from 'pg'
import { type StoredSeal, sealContextOf } from '#kernel/crypto/seal-context.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { resealText, sealedPattern } from './reseal-text.ts'

export interface Pass {
  resealed: number
  unreadable: number
  /** Where the first unreadable value is. */
  example?: string
  /** Changed meanwhile by somebody else. */
  missed: number
}

const portion = 100

const quoted = (names: readonly string[]): string[] => names.map((name) => pg.escapeIdentifier(name))

/** Each row has the texts of its primary key, of what identifies it in its context, and of the sealed columns. */
type Row = (string | null)[]

export const resealTable = async (
  client: pg.Client,
  { sealer, seal }: { sealer: Sealer; seal: StoredSeal },
  onPortion: (pass: Pass) => void,
): Promise<Pass> => {
  const pass: Pass = { resealed: 0, unreadable: 0, missed: 0 }
  const key = await primaryKeyOf(client, seal.table)
  for (let after: Row | undefined; ; ) {
    const rows = await readPortion(client, { sealer, seal, key, after })
    for (const row of rows) await resealRow(client, { sealer, seal, key, row, pass })
    onPortion(pass)
    if (rows.length < portion) return pass
    after = rows.at(-1)?.slice(0, key.length)
  }
}

const primaryKeyOf = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index as i
     join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`,
    [table],
  )
  return rows.map(({ name }) => name)
}

interface Portion {
  sealer: Sealer
  seal: StoredSeal
  key: readonly string[]
  after: Row | undefined
}

/** Those with anything under another key than the current one. */
const readPortion = async (client: pg.Client, { sealer, seal, key, after }: Portion): Promise<Row[]> => {
  const { table, columns, by } = seal
  const stale = sealedPattern.replace('v1\\.', `v1\\.(?!${sealer.keyIds[0]}\\.)`)
  const keys = quoted(key).join(', ')
  const texts = quoted([...key, ...by, ...columns]).map((name) => `${name}::text`)
  const isStale = quoted(columns).map((name) => `${name}::text ~ '${stale}'`)
  const isLater = after ? `(${keys}) > (${after.map((_, index) => `$${index + 1}`).join(', ')}) and` : ''
  const { rows } = await client.query<Row>({
    text: `select ${texts.join(', ')} from ${pg.escapeIdentifier(table)}
      where ${isLater} (${isStale.join(' or ')}) order by ${keys} limit ${portion}`,
    values: after ?? [],
    rowMode: 'array',
  })
  return rows
}

interface Work extends Omit<Portion, 'after'> {
  row: Row
  pass: Pass
}

const resealRow = async (client: pg.Client, { sealer, seal, key, row, pass }: Work): Promise<void> => {
  const keyValues = row.slice(0, key.length)
  const context = sealContextOf(seal, row.slice(key.length, key.length + seal.by.length).map(String))
  for (const [index, column] of seal.columns.entries()) {
    const text = row[key.length + seal.by.length + index]
    if (text === null || text === undefined) continue
    const found = resealText(sealer, text, context)
    pass.unreadable += found.unreadable
    if (found.unreadable > 0) pass.example ??= `${seal.table}.${column} of ${keyValues.join(' ')}`
    if (found.resealed === 0) continue
    const name = pg.escapeIdentifier(column)
    const isRow = quoted(key).map((each, at) => `${each} = $${at + 3}`)
    const { rowCount } = await client.query(
      `update ${pg.escapeIdentifier(seal.table)} set ${name} = $1 where ${isRow.join(' and ')} and ${name}::text = $2`,
      [found.text, text, ...keyValues],
    )
    if (rowCount === 1) pass.resealed += found.resealed
    else pass.missed += 1
  }
}
