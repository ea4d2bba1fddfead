/** The server as `main.ts` runs it, except that it lets calls finish for three seconds only when it stops. */
import { registerOwnModules } from '#kernel/process/own-modules.ts'
import { shareCompileCache } from '#test/harness/compile-cache.ts'

shareCompileCache()
registerOwnModules()

const { run } = await import('../../src/run.ts')
await run(process.env, { drainMs: 3000 })
