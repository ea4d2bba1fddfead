/** Several nodes on one database. What they print goes into files. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type ChaosNode, startNode } from './node.ts'

interface Options {
  databaseUrl: string
  /** The folder for what the nodes print. */
  logs: string
  /** The error of each node's clock. */
  skewsMs: readonly number[]
  env: Record<string, string>
}

export const startNodes = ({ databaseUrl, logs, skewsMs, env }: Options): Promise<ChaosNode[]> => {
  const every = {
    JWT_SECRET: 'a-secret-for-chaos-only-that-is-long-enough-to-be-accepted-by-the-rules',
    SVC_SECRET_KEY: 'another-secret-for-chaos-only-of-32-or-more',
    RAG_EMBEDDING_ENGINE: 'none',
    ...env,
  }
  return Promise.all(
    skewsMs.map((skewMs, index) => {
      const log = createWriteStream(join(logs, `node-${index}.log`))
      return startNode({ databaseUrl, skewMs, env: every, onOutput: (text) => void log.write(text) })
    }),
  )
}
