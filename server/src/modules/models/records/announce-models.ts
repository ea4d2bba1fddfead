/**
 * Tells the browsers that watch their list of models that it changed: only those of people who may use what changed, so
 * that a model of one company makes nobody of another read anything. Each node tells its own sockets.
 */
import { modelsTopic } from '@chancery/contract/chats/events.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { groupsTopic, type Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import { type Caller, mayRead } from './model-chain.ts'
import type { ModelRecord } from './queries/models.ts'

interface Needs {
  kernel: Pick<Kernel, 'signals' | 'tasks'>
  grants: Pick<Organizations['grants'], 'groupsOf'>
  topics: Pick<Realtime['topics'], 'register' | 'watched' | 'announce'>
}

export interface ModelAnnouncer {
  /** Records as they were before and are after a change. */
  changed(records: readonly ModelRecord[]): void
  all(): void
}

/** Groups are undefined after a change to a group of their organization, until they matter. */
interface Watcher {
  actor: Caller['actor']
  groups: Caller['groups'] | undefined
}

export const createModelAnnouncer = ({ kernel: { signals, tasks }, grants, topics }: Needs): ModelAnnouncer => {
  const watchers = new Map<string, Watcher>()

  topics.register(modelsTopic, async (actor, id) => {
    if (actor.id !== id) return false
    watchers.set(id, { actor, groups: await grants.groupsOf(actor) })
    return true
  })
  signals.on(groupsTopic, (organizationId) => {
    for (const watcher of watchers.values())
      if (organizationId === undefined || watcher.actor.organizationId === organizationId) watcher.groups = undefined
  })

  const forgetOthers = (watched: ReadonlySet<string>): void => {
    for (const id of watchers.keys()) if (!watched.has(id)) watchers.delete(id)
  }
  const isConcerned = async (watcher: Watcher, records: readonly ModelRecord[]): Promise<boolean> => {
    const { actor, groups = new Set() } = watcher
    if (records.some((record) => mayRead({ actor, groups }, record))) return true
    if (watcher.groups || !records.some(isGrantedToGroup)) return false
    const read = await grants.groupsOf(actor)
    watcher.groups = read
    return records.some((record) => mayRead({ actor, groups: read }, record))
  }
  return {
    changed: (records) => {
      const watched = new Set(topics.watched(modelsTopic))
      forgetOthers(watched)
      if (watched.size === 0 || records.length === 0) return
      tasks.run('models.announce', async () => {
        for (const id of watched) {
          const watcher = watchers.get(id)
          if (!watcher || (await isConcerned(watcher, records))) topics.announce(modelsTopic, id)
        }
      })
    },
    all: () => {
      for (const id of topics.watched(modelsTopic)) topics.announce(modelsTopic, id)
    },
  }
}

const isGrantedToGroup = ({ grants }: ModelRecord): boolean =>
  grants?.some(({ principal_type }) => principal_type === 'group') ?? false
