/**
 * A PostgreSQL with pgvector: PGlite, in this process, behind the wire protocol, so that our own pool and migrations run
 * on it. It has one session, whatever connects: use a pool of one connection.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, openAsBlob, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { createPool } from '#kernel/db/database.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { readMigrations } from '#kernel/db/read-migrations.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cacheDir = join(root, 'node_modules/.cache/chancery/test-pglite')

/**
 * With all migrations. The files of the migrated database are reused by later runs until a migration or a package changes:
 * creating and migrating it takes 8.6 s of processor time, loading it 2.
 */
export const startPglite = async () => {
  const migrations = readMigrations(join(root, 'server/migrations'))
  const saved = join(cacheDir, `${keyOf(migrations)}.tar`)
  const isSaved = existsSync(saved)
  const pglite = await PGlite.create({
    extensions: { vector },
    ...(isSaved && { loadDataDir: await openAsBlob(saved) }),
  })
  const peer = await listen(pglite)
  if (!isSaved) {
    const pool = createPool({ connectionString: peer.url, max: 1 })
    await migrate(pool, migrations)
    await pool.end()
    await save(pglite, saved)
  }
  return peer
}

const keyOf = (migrations: ReturnType<typeof readMigrations>): string => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const { checksum } of [migrations.baseline, ...migrations.since]) hash.update(checksum)
  return hash.digest('hex').slice(0, 24)
}

/** Renamed only once it is complete: an interrupted run leaves nothing that would be reused. */
const save = async (pglite: PGlite, file: string): Promise<void> => {
  const dump = await pglite.dumpDataDir('none')
  await mkdir(cacheDir, { recursive: true })
  for (const old of await readdir(cacheDir)) await rm(join(cacheDir, old), { force: true })
  const partial = `${file}.${process.pid}`
  await writeFile(partial, dump.stream())
  await rename(partial, file)
}

const listen = async (pglite: PGlite) => {
  const sockets = new Set<Socket>()
  // Each message has its own answer: with Nagle's algorithm, the second of two waits 40 ms for the first to be acknowledged.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    answer(pglite, socket)
      .catch(() => undefined)
      .finally(() => {
        sockets.delete(socket)
        socket.destroy()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await pglite.close()
    },
  }
}

/** Message by message, as they become complete. */
const answer = async (pglite: PGlite, socket: Socket): Promise<void> => {
  let waiting = Buffer.alloc(0)
  let hasStarted = false
  for await (const bytes of socket) {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      // The first message has no letter for its kind.
      const before = hasStarted ? 1 : 0
      const length = waiting.length < before + 4 ? Infinity : before + waiting.readInt32BE(before)
      if (waiting.length < length) break
      socket.write(await pglite.execProtocolRaw(waiting.subarray(0, length)))
      waiting = waiting.subarray(length)
      hasStarted = true
    }
  }
}
