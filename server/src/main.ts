/** Reads the configuration, brings the database and the app up, and takes both down again when asked to. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/chancery/compile', import.meta.url)))

const { run } = await import('./run.ts')
await run(process.env)
