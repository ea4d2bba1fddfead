/**
 * Tells the browsers that watch a workflow's runs that one was created or changed. What happens in a burst is announced
 * together, and while nobody watches nothing is collected. If the changes can't be read, everything watched is
 * announced a little later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runsTopic } from '@chancery/contract/chats/events.ts'
import { isUuid } from '#kernel/ids.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import { findNewestUnscoped, findWorkflowsOfUnscoped } from '../queries/runs.ts'
import type { Definitions } from '../shared/definitions.ts'
import type { RunNotifier } from '../shared/run-notifier.ts'

const pauseMs = 300
/** For more changed runs than this, every watched workflow is announced. */
const maxRuns = 2000

interface Needs {
  kernel: Pick<Kernel, 'db' | 'tasks'>
  realtime: Pick<Realtime, 'topics'>
  notifier: Pick<RunNotifier, 'onChange'>
  definitions: Pick<Definitions, 'isOwn'>
  /** Everything watched is announced this long after a failed read. */
  retryMs?: number
}

export interface RunAnnouncer {
  /** Runs may have been created. */
  created(): void
}

export const createRunAnnouncer = ({
  kernel: { db, tasks },
  realtime: { topics },
  notifier,
  definitions,
  retryMs = 1000,
}: Needs): RunAnnouncer => {
  /** The newest run of each watched workflow, as last announced. */
  let newest = new Map<string, string>()
  let changed = new Set<string>()
  let isAny = false
  let isDue = false
  let isWorking = false

  const announceOnce = async (): Promise<void> => {
    const [runIds, all] = [[...changed], isAny || changed.size > maxRuns]
    changed = new Set()
    isAny = false
    isDue = false
    const workflowIds = topics.watched(runsTopic)
    if (workflowIds.length === 0) return
    const before = newest
    newest = await findNewestUnscoped(db, workflowIds)
    const known = all || runIds.length === 0 ? [] : await findWorkflowsOfUnscoped(db, { workflowIds, runIds })
    const touched = new Set(known)
    for (const id of workflowIds)
      if (all || touched.has(id) || newest.get(id) !== before.get(id)) topics.announce(runsTopic, id)
  }
  const work = async (): Promise<void> => {
    try {
      while (isDue) {
        await announceOnce()
        await sleep(pauseMs, undefined, { ref: false })
      }
    } catch (problem) {
      // The changes are forgotten by now.
      isAny = true
      setTimeout(wake, retryMs).unref()
      throw problem
    } finally {
      isWorking = false
    }
  }
  const wake = (): void => {
    isDue = true
    if (isWorking) return
    isWorking = true
    tasks.run('workflows.announce', work)
  }

  topics.register(runsTopic, async (actor, id) => isUuid(id) && (await definitions.isOwn(db, actor, id)))
  const isWatched = (): boolean => topics.isWatched(runsTopic)
  notifier.onChange((runIds) => {
    if (!isWatched()) return
    for (const runId of runIds ?? []) changed.add(runId)
    isAny ||= runIds === undefined
    wake()
  }, isWatched)
  return {
    created: () => {
      if (isWatched()) wake()
    },
  }
}
