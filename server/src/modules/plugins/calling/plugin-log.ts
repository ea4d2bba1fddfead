/**
 * Log lines and failures of plugins, for their authors. Written in batches; a burst that is too long loses its rest.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { insertLogLinesUnscoped, type PluginLogLine } from '../queries/logs.ts'
import type { OfPlugin } from '../queries/plugins.ts'
import type { LogLine } from '../runtime/index.ts'

export interface PluginLog {
  add(plugin: OfPlugin, line: LogLine): void
  /** Resolves when everything that was added is stored. */
  flush(): Promise<void>
}

const flushAfterMs = 250
const maxWaiting = 2_000
const maxLength = 4_000

export const createPluginLog = ({ db, clock, log }: Pick<Kernel, 'db' | 'clock' | 'log'>): PluginLog => {
  let waiting: PluginLogLine[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = async (lines: PluginLogLine[]): Promise<void> => {
    try {
      await insertLogLinesUnscoped(db, lines)
    } catch (problem) {
      log.warn({ err: problem }, 'The log of a plugin could not be stored.')
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    if (lines.length > 0) writing = writing.then(() => write(lines))
    return writing
  }
  return {
    add: ({ id: pluginId, createdAt }, { level, text }) => {
      if (waiting.length >= maxWaiting) return
      waiting.push({ pluginId, createdAt, level, text: clean(text), at: clock.now() })
      timer ??= setTimeout(flush, flushAfterMs).unref()
    },
    flush,
  }
}

/** PostgreSQL stores neither NUL nor half a pair. */
const clean = (text: string): string => text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\uFFFD')
