/**
 * Child processes that all apps of a test worker share. Starting one takes longer than most of its tasks, and a file's
 * first seal or upload would wait for it. An app's stop ends its own tasks; the processes end with the worker. They don't
 * give way to the tests of other workers, which keep the cores busy: with a tenth of their share, a seal took three times as
 * long.
 */
import { ChildFailure, type Children, createChildren, type Worker } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'

const log = createLog('silent')
const shared = createChildren({ log, metrics: createMetrics(log), givesWay: false })
const workers = new Map<string, Worker<never>>()
const names = new Set<string>()
const idleMs = 600_000

const freeName = (wanted: string): string => {
  const name = names.has(wanted) ? `${wanted} ${names.size}` : wanted
  names.add(name)
  return name
}

/** For one app. */
export const shareChildren = (): Children => {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    const ended = work.then(
      () => void running.delete(ended),
      () => void running.delete(ended),
    )
    running.add(ended)
    return work
  }
  return {
    ...shared,
    declare: (definition) => {
      // Processes that are used once can't be kept warm, and would count against another app's limit.
      const isReused = definition.recycleAfter !== 1
      const key = JSON.stringify(definition)
      const known = isReused && workers.get(key)
      if (known) return known
      const worker = shared.declare<never>({ idleMs, ...definition, name: freeName(definition.name) })
      if (isReused) workers.set(key, worker)
      return worker
    },
    run: (worker, name, input, { signal, ...options }) => {
      const ended = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal
      return track(shared.run(worker, name, input, { ...options, signal: ended }))
    },
    runProgram: (program) => track(shared.runProgram(program)),
    stop: async () => {
      stopping.abort(new ChildFailure('child_stopped', 'The server is stopping.'))
      await Promise.all(running)
    },
  }
}
