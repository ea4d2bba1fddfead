/** One of several servers of this machine: started, told what to do and stopped by its supervisor (run.ts). */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepTickShape } from '#kernel/process/keep-tick-shape.ts'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/chancery/compile', import.meta.url)))

keepTickShape()

const { serve } = await import('./serve-in-machine.ts')
await serve(process.env)
