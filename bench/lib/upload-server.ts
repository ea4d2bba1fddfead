/** The kernel's HTTP server with one upload route, in a separate process. Arguments: database URL, data folder. */
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readConfig } from '../../server/src/config/config.ts'
import { systemClock } from '../../server/src/kernel/clock.ts'
import { createKernel } from '../../server/src/kernel/create-kernel.ts'
import { route } from '../../server/src/kernel/http/route.ts'
import { createHttpServer } from '../../server/src/kernel/http/server.ts'
import { systemIds } from '../../server/src/kernel/ids.ts'
import { createLog } from '../../server/src/kernel/log.ts'

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const log = createLog('error')
const config = readConfig({ SVC_DATA_DIR: dataDir, LOG_LEVEL: 'error' })
const key = 'a secret of the bench, and of nothing else'
const { kernel } = await createKernel({
  config,
  secrets: { SVC_SECRET_KEY: key, JWT_SECRET: key, ADMIN_SETUP_KEY: key },
  databaseUrl,
  migrationsDir: fileURLToPath(new URL('../../server/migrations', import.meta.url)),
  log,
  clock: systemClock,
  ids: systemIds,
  passwordCost: 4,
})
const upload = route({
  method: 'POST',
  path: '/api/public/upload',
  access: 'public',
  writes: { reachesOthers: false, whenReadOnly: 'allowed' },
  summary: 'For the bench.',
  upload: { maxBytes: 1_000_000_000 },
  reply: z.object({ size: z.number() }),
  handle: async ({ http }) => ({ size: http.files[0]?.size ?? 0 }),
})
const server = await createHttpServer({
  config,
  log,
  ids: systemIds,
  limits: kernel.limits,
  blobs: kernel.blobs,
  authenticate: () => undefined,
  routes: [upload],
  webDir: '/nowhere',
  externalUrl: undefined,
})
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`)
