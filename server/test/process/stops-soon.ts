/** The server as `main.ts` runs it, except that it lets calls finish for three seconds only when it stops. */
import { run } from '../../src/run.ts'

await run(process.env, { drainMs: 3000 })
