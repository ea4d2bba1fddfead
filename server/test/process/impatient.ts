/** The server as `main.ts` runs it, except that a server without a sign of life is killed after eight seconds. */
import { run } from '../../src/run.ts'

await run(process.env, { patienceMs: 8000 })
