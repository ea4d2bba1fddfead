/** An organization with something in everything, exported from one instance and imported into another. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { openBlobStore } from '#kernel/blobs/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { createSealer } from '#kernel/crypto/sealer.ts'
import { readTotal } from '#kernel/db/running-totals.ts'
import { sealedAs } from '#modules/workflows/credentials/sealed-as.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { uploadBytes } from '#test/harness/files.ts'
import { collectionOf } from '#test/harness/knowledge.ts'
import { furnishOffice } from '#test/harness/office.ts'
import { type Person, password } from '#test/harness/people.ts'
import { finished, startByHand } from '#test/harness/runs.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { makeFolder } from '#test/process/temp-folder.ts'
import { exportKind } from '../backup/file/format.ts'
import { sealSecrets } from '../backup/file/passphrase.ts'
import { writeEnd, writeJson } from '../backup/file/write-parts.ts'
import { writeArchive } from '../backup/file/writer.ts'
import { openArchive } from '../backup/read-archive.ts'
import { exportOrganization, type TransferSecrets } from './export-organization.ts'
import { importOrganization } from './import-organization.ts'

const passphrase = 'what only we know'
const progress = { begin: () => undefined, add: () => undefined }
const known = new Set<string>()

interface Instance {
  app: TestApp
  folder: string
}

const instance = async (): Promise<Instance> => {
  const folder = await makeFolder()
  return { app: await testApp({ env: { SVC_DATA_DIR: folder } }), folder }
}

const storeIn = async (folder: string) => {
  const store = await openBlobStore(readConfig({ SVC_DATA_DIR: folder }), systemClock)
  atEnd(() => store.close())
  return store
}

let here: Instance
let there: Instance
let office: Awaited<ReturnType<typeof furnishOffice>>
let ana: Person
let file = ''

const save = async (path = file, withPasswords = true) => {
  const store = await storeIn(here.folder)
  return exportOrganization({
    organization: ana.organizationId ?? '',
    path,
    databaseUrl: here.app.databaseUrl,
    openFile: (key) => store.get(key),
    keys: { current: testSecrets.SVC_SECRET_KEY, previous: [] },
    passphrase,
    withPasswords,
    release: '0.0.0',
    progress,
  })
}

const load = async (options: { path?: string; passphrase?: string; known?: Set<string>; key?: string } = {}) =>
  importOrganization({
    path: file,
    passphrase,
    databaseUrl: there.app.databaseUrl,
    known,
    store: await storeIn(there.folder),
    key: testSecrets.SVC_SECRET_KEY,
    progress,
    ...options,
  })

beforeAll(async () => {
  here = await instance()
  there = await instance()
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(here.app.db)
  for (const { name } of rows) known.add(name)
  file = join(here.folder, 'office.export')
})

/** As somebody who knows the passphrase could: the same file with other rows in a table. */
const rewrite = async (path: string, table: string, change: (rows: string) => string) => {
  const { about, secrets, parts } = await openArchive<TransferSecrets>({
    path: file,
    kind: exportKind,
    passphrase,
    known,
  })
  const { sealed: sealedSecrets, keys } = await sealSecrets(passphrase, secrets)
  await writeArchive({ path, kind: exportKind }, async (writer) => {
    await writeJson(writer, 'about', { ...about, sealedSecrets })
    for await (const { header, content } of parts) {
      const bytes = await buffer(content)
      await writer.write(header, [header.table === table ? Buffer.from(change(bytes.toString())) : bytes])
    }
    await writeEnd(writer, keys, 0)
    return {}
  })
}

describe('an organization', () => {
  // The tests go through one office, in this order.
  it('is in one file', { timeout: 120_000 }, async () => {
    office = await furnishOffice(here.app)
    ana = office.ana
    expect(await save(file, false)).toMatchObject({ people: 1, leftRuns: 0, missing: { count: 0 } })
    const { parts } = await openArchive({ path: file, kind: exportKind, passphrase, known })
    for await (const { header, content } of parts)
      for await (const bytes of content)
        if (header.table === 'users') {
          expect(bytes.toString()).toContain(ana.email)
          expect(bytes.toString()).not.toContain('$2')
        }
    await save()
  })

  it('is refused before its file, its own or another one, is good and fits', async () => {
    const bytes = await readFile(file)
    const changed = join(here.folder, 'changed.export')
    for (const [content, sentence] of [
      [bytes.subarray(0, -200), 'The file is damaged: '],
      [Buffer.concat([bytes.subarray(0, 5000), Buffer.from('x'), bytes.subarray(5001)]), 'The file is damaged: '],
      [Buffer.from('CHANCERY BACKUP 1\n'), 'not an export of Chancery'],
      [Buffer.from('CHANCERY EXPORT 2\n'), 'made by a newer Chancery'],
    ] as const) {
      await writeFile(changed, content)
      await expect(load({ path: changed })).rejects.toThrow(sentence)
    }
    await expect(load({ passphrase: 'a guess' })).rejects.toThrow('The passphrase is not the one')
    await expect(load({ known: new Set(['baseline']) })).rejects.toThrow('made by a newer Chancery')
    const namesake = await there.app.user({ email: ana.email })
    await expect(load()).rejects.toThrow(`${ana.email} already has an account here`)
    await there.app.db.deleteFrom('users').where('id', '=', namesake.id).execute()
  })

  it('is refused where its rows name somebody else’s things, or are somebody else’s', async () => {
    const eve = await there.app.user({ org: `Other ${randomUUID()}` })
    const path = join(here.folder, 'forged.export')
    const forge = async (change: string, back: string, sentence: string) => {
      await sql.raw(change).execute(here.app.db)
      await save(path)
      await sql.raw(back).execute(here.app.db)
      await expect(load({ path })).rejects.toThrow(sentence)
    }
    const workflow = `where id = '${office.workflowId}'`
    await forge(
      `update workflows set run_as_user_id = '${eve.id}' ${workflow}`,
      `update workflows set run_as_user_id = null ${workflow}`,
      `The file names ${eve.id} of users, which belongs to somebody else here.`,
    )
    await rewrite(path, 'users', (rows) => rows.replaceAll(ana.organizationId ?? '', eve.organizationId ?? ''))
    await expect(load({ path })).rejects.toThrow("The file has rows of users that don't belong to the organization.")
    const { body: theirs } = await uploadBytes(eve, Buffer.from('theirs'), { name: 'theirs.bin' })
    const { blobKey } = await there.app.db
      .selectFrom('files')
      .select('blobKey')
      .where('id', '=', theirs.id)
      .executeTakeFirstOrThrow()
    const named = (rows: string) => rows.replace(/signing\/[0-9a-f-]{36}/, blobKey)
    await rewrite(path, 'signing_documents', named)
    await expect(load({ path })).rejects.toThrow('names of files that belong to somebody else')
    const taken = await there.app.db.selectFrom('organizations').selectAll().executeTakeFirstOrThrow()
    const original = await here.app.db.selectFrom('organizations').selectAll().executeTakeFirstOrThrow()
    await forge(
      `update organizations set code = '${taken.code}'`,
      `update organizations set code = '${original.code}'`,
      `The code ${taken.code} belongs to another organization here.`,
    )
    // What only platform admins may do: to describe a connection's model, which this would hide from everybody.
    await forge(
      `insert into models (id, name, params, meta, owner_kind, owner_id, is_restricted, is_active, created_at, updated_at)
       values ('guide', 'Mine', '{}', '{}', 'user', '${ana.id}', true, true, now(), now())`,
      `delete from models`,
      "The file has rows of models that don't belong to the organization.",
    )
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from workflows) + (select count(*) from chats) + (select count(*) from signing_documents) as count`.execute(
      there.app.db,
    )
    expect(Number(rows[0]?.count)).toBe(0)
    const left = await readdir(join(there.folder, 'blobs'), { recursive: true, withFileTypes: true })
    expect(left.filter((entry) => entry.isFile())).toHaveLength(1)
  })

  it('comes with people, chats, files, knowledge, sealed documents, runs and secrets, and goes on', async () => {
    const collection = await collectionOf(ana, 'The lighthouse keeper counts the ships.')
    const { body: credential } = await ana.post('/api/v1/http-credentials', {
      name: 'Shop',
      url: 'https://shop.example',
      kind: 'header',
      header: 'X-Shop',
      secret: 'carried over',
    })
    const colleague = await here.app.user({ name: 'Ben Colleague' })
    await here.app.db
      .updateTable('users')
      .set({ organizationId: ana.organizationId, role: 'ROLE_USER' })
      .where('id', '=', colleague.id)
      .execute()
    await sql`insert into plugins (id, kind, name, description, source, spec, is_active, is_restricted, owner_kind, owner_id,
      created_at, updated_at) values ('theirs', 'tool', 'T', '', '', '{}', true, true, 'user', ${ana.id}, now(), now())`.execute(
      here.app.db,
    )
    const hashes = await office.hashContents(ana)
    const bodies = await office.readBodies(ana)
    const saved = await save()
    expect(saved).toMatchObject({ people: 2, missing: { count: 0 }, unreadable: 0 })

    const imported = await load()
    expect(imported).toMatchObject({ people: 2, rows: saved.rows, files: saved.files, missingFiles: 0 })
    const { body: session } = await there.app.newcomer().post('/api/auth/login', { email: ana.email, password })
    const again = createClient(there.app.url, bearer(session.token))
    expect(await office.readBodies(again)).toEqual(bodies)
    expect(await office.hashContents(again)).toEqual(hashes)
    expect((await finished(again, (await startByHand(again, office.workflowId, { n: 2 })).body.id)).status).toBe(
      'succeeded',
    )
    expect((await again.get(`/api/v1/knowledge/${collection}`)).body.name).toBe('Notes')
    const { sealedSecret } = await there.app.db
      .selectFrom('httpCredentials')
      .select('sealedSecret')
      .where('id', '=', credential.id)
      .executeTakeFirstOrThrow()
    const sealer = createSealer({ current: testSecrets.SVC_SECRET_KEY, previous: [] })
    expect(sealer.open(sealedSecret, sealedAs(credential.id))).toBe('carried over')
    for (const kind of ['file_bytes', 'document_bytes'] as const) {
      const total = { kind, ownerId: ana.organizationId ?? '' }
      expect(await readTotal(there.app.db, total)).toBe(await readTotal(here.app.db, total))
    }
    // Only platform admins add code.
    expect(await there.app.db.selectFrom('plugins').selectAll().execute()).toEqual([])
    await expect(load()).rejects.toThrow('is already here. An organization is imported only once.')
  })
})
