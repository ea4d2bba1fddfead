/** `docs/openapi.json` as `npm run docs` writes it, from the routes of a server that is started for it. */
import { readFileSync } from 'node:fs'
import { startApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { loadSecrets } from '../../server/src/kernel/config/secrets.ts'
import type { Route } from '../../server/src/kernel/http/route.ts'
import { createLog } from '../../server/src/kernel/log.ts'
import { inNewDatabase } from '../new-database.ts'
import { describeApi } from './describe-api.ts'
import { writeJson } from './write-json.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const pageOf = async (routes: readonly Route[]): Promise<string> =>
  `${writeJson(await describeApi(routes, version))}\n`

export const apiPage = (): Promise<string> =>
  inNewDatabase(async ({ url, dataDir }) => {
    const config = readConfig({ SVC_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', RAG_EMBEDDING_ENGINE: 'none' })
    const secrets = loadSecrets(dataDir, config)
    const app = await startApp({ config, secrets, databaseUrl: url, log: createLog('silent') })
    try {
      return await pageOf(app.routes)
    } finally {
      await app.stop()
    }
  })
