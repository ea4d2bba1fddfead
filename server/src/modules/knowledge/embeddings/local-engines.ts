/** The engines on this machine: the fast one where it is installed and loads, otherwise the bundled one. */
import type { Children } from '#kernel/child/index.ts'
import type { Log } from '#kernel/log.ts'
import type { Engine } from './engine.ts'
import { createFastEngine } from './fast-engine.ts'
import { isFastInstalled } from './fast-files.ts'
import { createLocalEngine, isLocalInstalled } from './local-engine.ts'

export interface LocalEngines {
  /** Undefined where neither is installed. */
  current(): Engine | undefined
  /** For questions to vectors that one of them made. */
  byId(id: string): Engine | undefined
}

/** The fast one is looked for once, at the start, and given up until the next start when it can't be loaded. */
export const createLocalEngines = (
  { children, log }: { children: Children; log: Log },
  fastFolder: string,
): LocalEngines => {
  const bundled = isLocalInstalled() ? createLocalEngine(children) : undefined
  const onUnusable = (problem: Error) => {
    if (!fast) return
    fast = undefined
    log.warn({ err: problem }, 'The fast embedding engine could not be loaded; the bundled one is used instead.')
  }
  let fast = isFastInstalled(fastFolder) ? createFastEngine(children, { folder: fastFolder, onUnusable }) : undefined
  return {
    current: () => fast ?? bundled,
    byId: (id) => [fast, bundled].find((engine) => engine?.id === id),
  }
}
