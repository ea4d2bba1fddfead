/** Reads the configuration, brings the database and the app up, and takes both down again when asked to. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepTickShape } from '#kernel/process/keep-tick-shape.ts'
import { registerOwnModules } from '#kernel/process/own-modules.ts'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/chancery/compile', import.meta.url)))

keepTickShape()
registerOwnModules()

const { run } = await import('./run.ts')
await run(process.env)
