/** One of several servers of this machine: started, told what to do and stopped by its supervisor (run.ts). */
import { prepareProcess } from '#kernel/process/prepare-process.ts'

prepareProcess()
const { serve } = await import('./serve-in-machine.ts')
await serve(process.env)
