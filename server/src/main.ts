/** Reads the configuration, brings the database and the app up, and takes both down again when asked to. */
import { prepareProcess } from '#kernel/process/prepare-process.ts'

prepareProcess()
const { run } = await import('./run.ts')
await run(process.env)
