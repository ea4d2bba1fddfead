/** The models module on a real kernel and database, for tests below the HTTP layer: calls and their streams. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, readConfig } from '#config'
import { streamOf } from '#kernel/bytes/byte-flow.ts'
import { createKernel } from '#kernel/create-kernel.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import type { Meter, Use } from '#kernel/meter.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { createModels, type ModelAnswer, type ProviderRequest } from '#modules/models/index.ts'
import { createFindLoginPolicy, createOrganizations } from '#modules/organizations/index.ts'
import { atEnd } from './at-end.ts'
import { createTestClock } from './clock.ts'
import { cloneDatabase } from './database.ts'
import type { Person } from './people.ts'
import { testSecrets } from './secrets.ts'

const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url))

interface Options {
  /** Of an app under test, as another node of it. */
  databaseUrl?: string
  /** Settings that the environment may not have, such as a time limit below a second. */
  config?: Partial<Config>
}

export const testModels = async (env: Record<string, string> = {}, { databaseUrl, config: given }: Options = {}) => {
  const database = databaseUrl === undefined ? await cloneDatabase() : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-models-'))
  const clock = createTestClock()
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const config = { ...readConfig({ SVC_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env }), ...given }
  const running = await createKernel({
    config,
    secrets: testSecrets,
    databaseUrl: databaseUrl ?? database?.url ?? '',
    migrationsDir,
    log,
    clock,
    ids: systemIds,
    passwordCost: 4,
  })
  const { kernel } = running
  const accounts = createAccounts({ kernel, findLoginPolicy: createFindLoginPolicy(kernel) })
  const organizations = createOrganizations({ kernel, accounts })
  const uses: Use[] = []
  const meter: Meter = { reserve: () => undefined, record: (_actor, use) => void uses.push(use) }
  const models = await createModels({ kernel, accounts, organizations, meter })
  await running.start([])
  const stopping = new AbortController()
  models.start?.(stopping.signal)

  atEnd(async () => {
    stopping.abort()
    await running.stop(async () => models.stop?.())
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const askAs = async (actor: Actor, model: string, body: Partial<ProviderRequest> = {}, signal = neverAborted()) => {
    const resolved = await models.resolve(actor, model)
    const messages = [{ role: 'user', content: 'one two three' }]
    return resolved.call({ actor, body: { messages, ...body }, signal })
  }
  const ask = (model: string, body?: Partial<ProviderRequest>, signal?: AbortSignal) =>
    askAs(somebody, model, body, signal)
  return { models, clock, uses, meter, kernel, logLines: lines, ask, askAs }
}

const neverAborted = (): AbortSignal => new AbortController().signal

/** The actor that a person of the app under test is. */
export const actorOf = ({ id, name, email, organizationId }: Person): Actor => ({
  ...somebody,
  id,
  name,
  email,
  organizationId,
})

/** A person without an organization. */
export const somebody: Actor = {
  kind: 'user',
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Ana Example',
  email: 'ana@example.test',
  role: 'ROLE_USER',
  organizationId: null,
  status: 'ACTIVE',
  loginOtp: false,
  createdAt: new Date(0),
  credential: { kind: 'session', id: '01900000-0000-7000-8000-000000000002', expiresAt: null, allowedRoutes: null },
}

/** Everything a stream says; throws what it fails with. */
export const textOf = async (answer: ModelAnswer): Promise<string> => {
  if (answer.kind === 'whole') throw new Error('this answer is whole')
  const pieces: Buffer[] = []
  for await (const piece of streamOf(answer.flow)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

/** The JSON of each frame. */
export const framesOf = async (answer: ModelAnswer): Promise<unknown[]> =>
  (await textOf(answer))
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice('data: '.length)))
