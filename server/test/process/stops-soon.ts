/** The server as `main.ts` runs it, except that it lets calls finish for three seconds only when it stops. */
import { shareCompileCache } from '#test/harness/compile-cache.ts'

shareCompileCache()

const { run } = await import('../../src/run.ts')
await run(process.env, { drainMs: 3000 })
