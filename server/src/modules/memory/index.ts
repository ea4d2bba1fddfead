/** Memory: facts about a person that models may use in that person's own chats. The public interface of the module. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import { builtinSource, type Tools } from '#modules/tools/index.ts'
import { memoryFeature } from './memory-feature.ts'
import { memoryToolId, rememberTool } from './remember-tool.ts'
import { memoryRoutes } from './routes.ts'

interface Needs {
  kernel: Kernel
  tools: Tools
  completions: Completions
}

export const createMemory = ({ kernel, tools, completions }: Needs): Module => {
  completions.registerFeature('memory', memoryFeature(kernel.db))
  tools.registerSource(
    builtinSource({
      id: memoryToolId,
      name: 'Memory',
      description: 'Writes down facts about you for later chats.',
      isFor: ({ kind }) => kind === 'user',
      tools: [rememberTool(kernel)],
    }),
  )
  return { routes: memoryRoutes(kernel) }
}
