/** One organization in one file: its rows and files as they were at one moment. Nobody waits for it. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { OpenBlob } from '#kernel/blobs/index.ts'
import { storedSeals } from '#kernel/crypto/seal-context.ts'
import { createSealer, type Sealer } from '#kernel/crypto/sealer.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { readRows } from '../backup/database/copy.ts'
import { namedFiles } from '../backup/database/named-files.ts'
import { inSnapshot } from '../backup/database/session.ts'
import { exportKind } from '../backup/file/format.ts'
import { sealSecrets } from '../backup/file/passphrase.ts'
import {
  type Contents,
  describeSnapshot,
  writeEnd,
  writeFiles,
  writeJson,
  writeRowsOf,
} from '../backup/file/write-parts.ts'
import { type ArchiveWriter, writeArchive } from '../backup/file/writer.ts'
import type { Progress } from '../backup/progress.ts'
import { readColumns } from './columns.ts'
import { resealRows } from './reseal-rows.ts'
import { exported, forOrganization } from './tables.ts'

interface Options {
  /** Its id or its code. */
  organization: string
  path: string
  databaseUrl: string
  openFile(key: string): Promise<OpenBlob | undefined>
  /** Of this instance, as a sealer takes them. */
  keys: { current: string; previous: string[] }
  passphrase: string
  withPasswords: boolean
  release: string
  progress: Progress
}

/** What is sealed with the passphrase: the key of everything that is sealed in the rows. */
export interface TransferSecrets {
  transferKey: string
}

export interface Exported extends Contents {
  name: string
  people: number
  /** Runs that haven't ended. */
  leftRuns: number
  /** Values that couldn't be decrypted here either. */
  unreadable: number
  bytes: number
}

export const exportOrganization = (options: Options): Promise<Exported> =>
  writeArchive({ path: options.path, kind: exportKind }, (writer) =>
    inSnapshot(options.databaseUrl, (client) => writeAll(client, writer, options)),
  )

const writeAll = async (client: pg.Client, writer: ArchiveWriter, options: Options) => {
  const { id, name, people, leftRuns } = await findOrganization(client, options.organization)
  const secrets: TransferSecrets = { transferKey: randomBytes(32).toString('base64url') }
  const { sealed: sealedSecrets, keys } = await sealSecrets(options.passphrase, secrets)
  const about = await describeSnapshot(client, { release: options.release, sealedSecrets })
  await writeJson(writer, 'about', { ...about, organization: { id, name, hasPasswords: options.withPasswords } })
  const sealer = createSealer({
    current: secrets.transferKey,
    previous: [options.keys.current, ...options.keys.previous],
  })
  const written = await writeTables(client, writer, { ...options, id, sealer })
  const which = (table: string) => {
    const rule = exported[table]
    return rule && forOrganization(rule.where, id)
  }
  const { files, missing } = await writeFiles(writer, { ...options, keys: namedFiles(client, which) })
  await writeEnd(writer, keys, missing.count)
  return { name, people, leftRuns, ...written, files, missing }
}

interface Found {
  id: string
  name: string
  people: number
  leftRuns: number
}

const findOrganization = async (client: pg.Client, asked: string): Promise<Found> => {
  const { rows } = await client.query<Found>(
    `select id, name, (select count(*)::int from public.users where organization_id = o.id) as people,
       (select count(*)::int from public.runs where scope_id = o.id and finished_at is null) as "leftRuns"
     from public.organizations as o where id::text = $1 or code = $1`,
    [asked],
  )
  if (!rows[0]) throw new StartError(`There is no organization with the id or code ${asked}.`)
  return rows[0]
}

interface Tables extends Pick<Options, 'withPasswords' | 'progress'> {
  id: string
  sealer: Sealer
}

const writeTables = async (client: pg.Client, writer: ArchiveWriter, options: Tables) => {
  const { id, sealer, withPasswords, progress } = options
  const tables = await readColumns(client)
  const total = { tables: tables.length, rows: 0, unreadable: 0 }
  for (const [index, { table, columns, numbering }] of tables.entries()) {
    progress.begin(`Table ${index + 1} of ${tables.length}, ${table}`)
    const { where = 'false', values = {} } = exported[table] ?? {}
    const replaced = table === 'users' && !withPasswords ? { ...values, password_hash: 'null::text' } : values
    const read = readRows(client, {
      values: columns.map(({ name }) => replaced[name] ?? `"${name}"`),
      from: `public.${table} where ${forOrganization(where, id)}${numbering === null ? '' : ` order by "${numbering}"`}`,
    })
    const names = columns.map(({ name }) => name)
    const content = resealRows(read.content, {
      columns: names,
      seals: storedSeals().filter((seal) => seal.table === table),
      sealer,
      onUnreadable: () => {
        total.unreadable += 1
      },
    })
    await writeRowsOf(writer, { table, columns: names, content, count: read.count }, progress)
    total.rows += read.count()
  }
  return total
}
