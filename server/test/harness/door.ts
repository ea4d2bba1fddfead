/** The kernel and its HTTP server with routes of a test's own: what every module builds on, without any module. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ModulesConfig, readConfig } from '#config'
import { createKernel } from '#kernel/create-kernel.ts'
import type { Failpoints } from '#kernel/failpoints.ts'
import type { Route } from '#kernel/http/route.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { systemIds } from '#kernel/ids.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createLog } from '#kernel/log.ts'
import { atEnd } from './at-end.ts'
import { shareChildren } from './children.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { cloneDatabase } from './database.ts'
import { testSecrets } from './secrets.ts'

interface DoorOptions {
  routes(kernel: Kernel<ModulesConfig>): Route[] | Promise<Route[]>
  env?: Record<string, string>
  failpoints?: Failpoints
  /** Of a first node, for a second one beside it: the same database, clock and blobs. */
  beside?: { databaseUrl: string; clock: TestClock; dataDir: string }
}

export const startDoor = async ({ routes, env = {}, failpoints, beside }: DoorOptions) => {
  const database = beside ? undefined : await cloneDatabase()
  const databaseUrl = beside?.databaseUrl ?? database?.url ?? ''
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'chancery-door-')))
  const clock = beside?.clock ?? createTestClock()
  const log = createLog('silent')
  const config = readConfig({ SVC_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env })
  const { kernel, stop } = await createKernel({
    config,
    log,
    clock,
    databaseUrl,
    ids: systemIds,
    secrets: testSecrets,
    passwordCost: 4,
    ...(failpoints ? { failpoints } : {}),
    children: shareChildren(),
    migrationsDir: fileURLToPath(new URL('../../migrations', import.meta.url)),
  })
  const server = await createHttpServer({
    config,
    log,
    ids: kernel.ids,
    limits: kernel.limits,
    blobs: kernel.blobs,
    routes: await routes(kernel),
    authenticate: () => undefined,
    webDir: '/nowhere',
    externalUrl: undefined,
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const close = async (): Promise<void> => {
    await server.close()
    await stop(async () => undefined)
  }
  atEnd(async () => {
    await close()
    if (beside) return
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    url,
    kernel,
    http: server.server,
    clock,
    databaseUrl,
    dataDir,
    /** Runs the sweep of unowned blobs once, as the job does. */
    sweep: () =>
      kernel.blobs.jobs[0]?.work({}, { jobId: 'test', attempt: 1, signal: new AbortController().signal, log }),
    /** Names of the files in the blob folder, temporary ones included. */
    storedFiles: async () =>
      (await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
  }
}

export type Door = Awaited<ReturnType<typeof startDoor>>
