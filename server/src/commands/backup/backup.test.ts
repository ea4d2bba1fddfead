/** A backup of an office with something in everything, restored into an empty database, and what stops a restore. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { backupLock, openBlobStore } from '#kernel/blobs/index.ts'
import { takeDueUnscoped } from '#kernel/blobs/queries.ts'
import { systemClock } from '#kernel/clock.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { furnishOffice } from '#test/harness/office.ts'
import { finished, startByHand } from '#test/harness/runs.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { makeFolder } from '#test/process/temp-folder.ts'
import { countObjects, describeRest, describeTables } from './database/catalog.ts'
import { inRestore, inSnapshot } from './database/session.ts'
import type { Part } from './file/reader.ts'
import { writeArchive } from './file/writer.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { compareRestored } from './verify-backup.ts'

const passphrase = 'what only we know'
const progress = { begin: () => undefined, add: () => undefined }
const known = new Set<string>()

const storeIn = async (folder: string) => {
  const store = await openBlobStore(readConfig({ SVC_DATA_DIR: folder }), systemClock)
  atEnd(() => store.close())
  return store
}

const emptyDatabase = async (): Promise<string> => {
  const { url, drop, openPool } = await cloneDatabase()
  atEnd(drop)
  const pool = openPool(1)
  await pool.query('drop schema public cascade; create schema public; drop schema if exists pgboss cascade')
  await pool.end()
  return url
}

let app: TestApp
let folder = ''
let file = ''

beforeAll(async () => {
  folder = await makeFolder()
  file = join(folder, 'office.backup')
  app = await testApp({ env: { SVC_DATA_DIR: folder } })
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(app.db)
  for (const { name } of rows) known.add(name)
})

const save = async (path = file) => {
  const store = await storeIn(folder)
  return makeBackup({
    path,
    passphrase,
    databaseUrl: app.databaseUrl,
    secrets: { ...testSecrets },
    release: '0.0.0',
    openFile: (key) => store.get(key),
    progress,
  })
}

interface Place {
  path?: string
  databaseUrl?: string
  passphrase?: string
  known?: ReadonlySet<string>
  dataDir?: string
  written?: Map<string, Part>
}

const restore = async ({ dataDir, written, ...place }: Place = {}) => {
  const store = await storeIn(dataDir ?? (await makeFolder()))
  const found: unknown[] = []
  const restored = await restoreBackup({
    path: file,
    passphrase,
    databaseUrl: '',
    known,
    ...place,
    storeFile: async (key, content) => void (await store.put(key, content)),
    acceptSecrets: () => undefined,
    storeSecrets: (secrets) => found.push(secrets),
    onRows: (part) => written?.set(part.header.table ?? '', part),
    progress,
  })
  return { ...restored, secrets: found[0] }
}

/** Without where sequences stand, which moves on by itself, and parentheses, which PostgreSQL adds and leaves out. */
const schemaOf = (url: string): Promise<string[]> =>
  inSnapshot(url, async (client) =>
    [...(await describeTables(client)), ...(await describeRest(client))]
      .filter((line) => !line.includes('setval'))
      .map((line) => line.replaceAll(/[()]| AS text/g, ''))
      .sort(),
  )

/** All that are stored, and not about to be deleted. */
const countOwnedFiles = async (): Promise<number> => {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  const stored = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('tmp'))
  const unowned = await app.db.selectFrom('unownedBlobs').select('key').execute()
  return stored.length - unowned.length
}

describe('a restored backup', () => {
  it('has the people, chats, files, sealed documents and runs of the original, and goes on', {
    timeout: 120_000,
  }, async () => {
    const { ana, workflowId, readBodies, hashContents } = await furnishOffice(app)
    const hashes = await hashContents(ana)
    const bodies = await readBodies(ana)
    expect(bodies[3].valid).toBe(true)

    const saved = await save()
    expect(saved.missing.count).toBe(0)
    expect(saved.files).toBe(await countOwnedFiles())
    const dataDir = await makeFolder()
    const written = new Map<string, Part>()
    const emptied = await emptyDatabase()
    const restored = await restore({ databaseUrl: emptied, dataDir, written })
    expect(restored).toMatchObject({ tables: saved.tables, rows: saved.rows, files: saved.files, missingFiles: 0 })
    expect(restored.secrets).toEqual(testSecrets)
    await compareRestored(emptied, { written, restored, progress })
    expect(await schemaOf(emptied)).toEqual(await schemaOf(app.databaseUrl))

    const other = await testApp({ databaseUrl: emptied, env: { SVC_DATA_DIR: dataDir } })
    const again = createClient(other.url, bearer(ana.token))
    expect(await readBodies(again)).toEqual(bodies)
    expect(await hashContents(again)).toEqual(hashes)
    const more = await startByHand(again, workflowId, { n: 2 })
    expect((await finished(again, more.body.id)).status).toBe('succeeded')
  })
})

describe('while a backup runs', () => {
  it('no file is deleted', async () => {
    const [now, key] = [new Date(), `files/${randomUUID()}`]
    const due = { now: new Date(now.getTime() + 1e9), retryAt: now, limit: 10 }
    await app.db.insertInto('unownedBlobs').values({ key, isDiscarded: true, sweepAfter: now }).execute()
    await inSnapshot(app.databaseUrl, async (client) => {
      expect((await client.query(`select from pg_locks where objid = ${backupLock}`)).rowCount).toBe(1)
      expect(await takeDueUnscoped(app.db, due)).toEqual([])
    })
    expect((await takeDueUnscoped(app.db, due)).map(({ key }) => key)).toContain(key)
  })

  it('a full disk leaves what was there, and says so', async () => {
    const path = join(folder, 'full.backup')
    await writeFile(path, 'the last one')
    await symlink('/dev/full', `${path}.part`)
    await expect(save(path)).rejects.toThrow(`can't be written to ${path}: the disk is full. What was there before`)
    expect(await readFile(path, 'utf8')).toBe('the last one')
    expect(existsSync(`${path}.part`)).toBe(false)
  })

  it('nobody else writes its file, and what a crash left there is replaced', async () => {
    const path = join(folder, 'shared.backup')
    await writeFile(`${path}.part`, 'x'.repeat(10_000), { mode: 0o644 })
    const kind = { magic: 'M\n', noun: 'backup' }
    await writeArchive({ path, kind }, async (writer) => {
      await expect(save(path)).rejects.toThrow(`Another command (pid ${process.pid}) is writing ${path}`)
      await writer.write({ name: 'a', compression: 'none' }, [Buffer.from('whole')])
      return {}
    })
    expect(await readFile(path, 'utf8')).toMatch(/^M\n[^x]*whole[^x]*$/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(save(folder)).rejects.toThrow(`${folder} is a folder. Name a file.`)
  })
})

describe('a restore is refused, and changes nothing', () => {
  let place = ''
  beforeAll(async () => {
    place = await emptyDatabase()
    if (!existsSync(file)) await save()
  })
  const changed = async (change: (bytes: Buffer) => Buffer) => {
    const path = join(folder, 'changed.backup')
    await writeFile(path, change(await readFile(file)))
    return path
  }
  const flipped = (bytes: Buffer, at: number) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['was cut', (bytes) => bytes.subarray(0, -200), 'The file is damaged: '],
    ['was cut in the middle', (bytes) => bytes.subarray(0, bytes.length / 2), 'it ends in the middle'],
    ['was changed', (bytes) => flipped(bytes, Math.floor(bytes.length / 2)), 'The file is damaged: '],
    ['was changed at its end', (bytes) => flipped(bytes, bytes.length - 20), 'The file is damaged: '],
    ['is of a newer format', (bytes) => flipped(bytes, 16), 'made by a newer Chancery'],
    ['is something else', () => Buffer.from('PK'), 'not a backup of Chancery'],
  ])('of a file that %s', async (_, change, sentence) => {
    await expect(restore({ databaseUrl: place, path: await changed(change) })).rejects.toThrow(sentence)
  })

  it('of a newer release, with another passphrase, or of no file', async () => {
    const at = { databaseUrl: place }
    await expect(restore({ ...at, known: new Set(['baseline']) })).rejects.toThrow(
      'made by a newer Chancery (0.0.0, with',
    )
    await expect(restore({ ...at, passphrase: 'a guess' })).rejects.toThrow('The passphrase is not the one')
    await expect(restore({ ...at, path: '/nowhere' })).rejects.toThrow('The backup cannot be read: ENOENT')
  })

  it('where something is already, and no attempt leaves anything', async () => {
    await expect(restore({ databaseUrl: app.databaseUrl })).rejects.toThrow("The database isn't empty")
    await inRestore(place, async (client) => expect(await countObjects(client)).toBe(0))
  })
})
