/** Reads the configuration, brings the database and the app up, and takes both down again when asked to. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepTickShape } from '#kernel/process/keep-tick-shape.ts'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/chancery/compile', import.meta.url)))

keepTickShape()

const { run } = await import('./run.ts')
await run(process.env)
