/** The same model as the bundled engine in 8 bits, run by a native library that one command installs. */
import { ChildFailure, type ChildFailureCode, type Children } from '#kernel/child/index.ts'
import { createEmbeddingTurns } from './embedding-turns.ts'
import type { Engine } from './engine.ts'
import type { tasks } from './fast-embed.worker.ts'
import { fastFiles, isFastInstalled } from './fast-files.ts'
import { unitVectors } from './local-engine.ts'

interface Options {
  folder: string
  /** Called when it can't be loaded here, or was removed. A failure by memory or time may pass and doesn't count. */
  onUnusable(problem: ChildFailure): void
}

const loadFailures: readonly ChildFailureCode[] = ['child_start_failed', 'child_crashed', 'child_task_failed']

export const createFastEngine = (children: Children, { folder, onUnusable }: Options): Engine => {
  const worker = children.declare<typeof tasks>({
    name: 'fast-embedding',
    script: new URL('./fast-embed.worker.ts', import.meta.url),
    read: [folder],
    addon: fastFiles(folder).addon,
    processes: 1,
    recycleAfter: 500,
    idleMs: 60_000,
    limits: { memoryMb: 700, cpuMs: 120_000, wallMs: 120_000 },
  })
  const inTurn = createEmbeddingTurns()
  let hasWorked = false
  return {
    id: 'local/minilm-l6-v2-q8',
    batchSize: 16,
    embed: async (texts, options) => {
      const { signal } = options
      try {
        const result = await inTurn(options, (tenant) =>
          children.run(worker, 'embed', { texts: [...texts], folder }, { tenant, signal }),
        )
        hasWorked = true
        return unitVectors(result)
      } catch (problem) {
        const isLoadFailure = problem instanceof ChildFailure && loadFailures.includes(problem.code)
        if (isLoadFailure && !(hasWorked && isFastInstalled(folder))) onUnusable(problem)
        throw problem
      }
    },
  }
}
