/**
 * Brings an exported organization into another instance, under the ids it had. All of it or nothing: rows in one
 * transaction, files before it is committed, under keys that nobody has. Servers may run meanwhile.
 */
import type pg from 'pg'
import { storedSeals } from '#kernel/crypto/seal-context.ts'
import { createSealer, type Sealer } from '#kernel/crypto/sealer.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { writeRows } from '../backup/database/copy.ts'
import { inImport } from '../backup/database/session.ts'
import { type About, exportKind } from '../backup/file/format.ts'
import type { Part } from '../backup/file/reader.ts'
import { counted, type Progress } from '../backup/progress.ts'
import { checkArchive, openArchive } from '../backup/read-archive.ts'
import { checkImported, countRows, requireFree } from './check-import.ts'
import { type ExportedTable, readColumns } from './columns.ts'
import type { TransferSecrets } from './export-organization.ts'
import { findNamedFiles, type Store, storeFile } from './import-files.ts'
import { asSentence } from './refusals.ts'
import { resealRows } from './reseal-rows.ts'
import { exported, forOrganization } from './tables.ts'

interface Options {
  path: string
  passphrase: string
  databaseUrl: string
  /** Of migrations, that this release has. */
  known: ReadonlySet<string>
  store: Store
  /** Of this instance. */
  key: string
  progress: Progress
}

type Organization = NonNullable<About['organization']>

export interface Imported extends Organization {
  createdAt: string
  people: number
  rows: number
  files: number
  missingFiles: number
}

export const importOrganization = async (options: Options): Promise<Imported> => {
  const archive = { ...options, kind: exportKind }
  options.progress.begin('Checking the file')
  await checkArchive(archive, options.progress)
  const { about, secrets, parts } = await openArchive<TransferSecrets>(archive)
  const organization = requireOrganization(about)
  const sealer = createSealer({ current: options.key, previous: [secrets.transferKey] })
  const stored: string[] = []
  try {
    const counts = await inImport(options.databaseUrl, async (client) => {
      await requireSameRelease(client, about)
      await requireFree(client, organization)
      return importParts(client, parts, { ...options, id: organization.id, sealer, stored })
    })
    return { ...organization, createdAt: about.createdAt, ...counts }
  } catch (problem) {
    for (const key of stored) await options.store.delete(key).catch(() => undefined)
    throw asSentence(problem)
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const requireOrganization = ({ organization }: About): Organization => {
  if (organization && uuid.test(organization.id)) return organization
  throw new StartError("The file is damaged: it doesn't say which organization it has. Use another one.")
}

const requireSameRelease = async (client: pg.Client, { release, migrations }: About): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select max(name) as name from schema_migrations where name ~ '^[0-9]'`,
  )
  const numbered = migrations.filter((name) => /^[0-9]/.test(name)).sort()
  if (rows[0]?.name === numbered.at(-1)) return
  throw new StartError(
    `The export was made by another release (${release}) than this database is of: bring both to the same one, start them once, and export again.`,
  )
}

interface Work extends Pick<Options, 'store' | 'progress'> {
  id: string
  sealer: Sealer
  /** The keys of files that were stored so far. */
  stored: string[]
}

const importParts = async (client: pg.Client, parts: AsyncGenerator<Part>, work: Work) => {
  const { id, progress, stored } = work
  const tables = await readColumns(client)
  const before = await countRows(client, id)
  const copied = new Map<string, number>()
  let named: Set<string> | undefined
  for await (const part of parts) {
    const { name } = part.header
    progress.begin(name)
    // All rows come before the first file, so what they name has been looked at when it is stored.
    if (name.startsWith('rows/') && !named)
      copied.set(name.slice(5), await fillTable(client, part, { ...work, tables, copied }))
    else {
      named ??= await findNamedFiles(client, id)
      await storeFile(part, { ...work, named })
    }
  }
  const missingFiles = (named ?? (await findNamedFiles(client, id))).size
  await checkImported(client, { id, tables, before, copied })
  await finish(client, id)
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0)
  return { people: copied.get('users') ?? 0, rows, files: stored.length, missingFiles }
}

interface Filling extends Work {
  tables: readonly ExportedTable[]
  copied: ReadonlyMap<string, number>
}

const fillTable = async (client: pg.Client, part: Part, { tables, copied, sealer, progress }: Filling) => {
  const { table = '', columns = [] } = part.header
  const own = tables.find((each) => each.table === table)?.columns.map(({ name }) => name)
  if (own?.join() !== columns.join() || copied.has(table) || part.header.name !== `rows/${table}`)
    throw new StartError(`The file is damaged: ${part.header.name} isn't what an export has. Use another one.`)
  const content = resealRows(counted(part.content, progress), {
    columns,
    seals: storedSeals().filter((seal) => seal.table === table),
    sealer,
    onUnreadable: () => undefined,
  })
  return writeRows(client, { table, columns: columns.map((name) => `"${name}"`) }, content)
}

/** What triggers don't count when rows are made complete, and what running servers hold in memory. */
const finish = async (client: pg.Client, id: string): Promise<void> => {
  const documents = forOrganization(exported.signing_documents?.where ?? 'false', id)
  await client.query(
    `select add_to_running_totals('document_bytes', array_agg(scope_id), array_agg(''::text), array_agg(sealed_bytes_of(d)))
     from signing_documents as d where sealed_key is not null and ${documents}`,
  )
  await client.query(
    `insert into shared_copies (topic, changes) select topic, 1 from unnest(array['models', 'plugins', 'usage_limits']) as topic
     on conflict (topic) do update set changes = shared_copies.changes + 1`,
  )
}
