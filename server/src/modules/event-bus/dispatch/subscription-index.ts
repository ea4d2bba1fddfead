/**
 * The active subscriptions in memory, indexed for lookup. They are read once, page by page; from then on each dispatch
 * learns with its events which ones changed, and reads only those. A node that is too far behind reads everything anew,
 * outside of any dispatch.
 */
import type { Db } from '#kernel/db/database.ts'
import { nilId } from '#kernel/ids.ts'
import type { Subscription } from '../interface.ts'
import type { Seen, SubscriptionChanges } from '../queries/dispatches.ts'
import {
  listActiveAmongUnscoped,
  listActiveSubscriptionsUnscoped,
  readSnapshotUnscoped,
} from '../queries/subscriptions.ts'

/** So many changed subscriptions are read inside a dispatch. */
const maxChanges = 1000
const pageSize = 1000

export interface SubscriptionIndex {
  /** Reads everything, if it was never read. */
  prepare(db: Db): Promise<void>
  reload(db: Db): Promise<void>
  /** What it has seen. */
  since(): Seen
  /** True when it can't follow: then `reload`. */
  isBehind(changes: SubscriptionChanges): boolean
  /** Reads what changed, in the dispatch's transaction: the result is no older than the events that it took. */
  follow(tx: Db, changes: SubscriptionChanges): Promise<void>
  /** True when there is a subscription to the type, in any scope. */
  hasSubscribers(eventType: string): boolean
  /** The scopes with a subscription to the type. */
  scopesOf(eventType: string): Iterable<string>
  find(eventType: string, scopeId: string): readonly Subscription[]
}

const never: Seen = { snapshot: '1:1:', at: '-infinity' }

export const createSubscriptionIndex = (): SubscriptionIndex => {
  let entries = createEntries()
  let seen = never
  let loading: Promise<void> | undefined

  const load = async (db: Db): Promise<void> => {
    const read = await readAll(db)
    entries = read.entries
    seen = read.seen
  }
  const reload = (db: Db): Promise<void> => {
    loading ??= load(db).finally(() => {
      loading = undefined
    })
    return loading
  }
  return {
    prepare: async (db) => {
      if (seen === never) await reload(db)
    },
    reload,
    since: () => seen,
    isBehind: ({ ids, isTooOld }) => isTooOld || ids.length > maxChanges,
    follow: async (tx, { ids, snapshot, at }) => {
      if (ids.length > 0) {
        const into = entries
        const active = new Map((await listActiveAmongUnscoped(tx, ids)).map((one) => [one.id, one]))
        for (const id of ids) into.set(id, active.get(id))
        // Read anew meanwhile, with another snapshot.
        if (into !== entries) for (const id of ids) entries.set(id, active.get(id))
      }
      seen = { snapshot, at }
    },
    hasSubscribers: (eventType) => entries.has(eventType),
    scopesOf: (eventType) => entries.scopesOf(eventType),
    find: (eventType, scopeId) => entries.find(eventType, scopeId),
  }
}

/** In one snapshot, so that what is changed meanwhile is found in the log afterwards. */
const readAll = (db: Db) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const entries = createEntries()
      const seen = await readSnapshotUnscoped(tx)
      let page: Subscription[]
      let after = nilId
      do {
        page = await listActiveSubscriptionsUnscoped(tx, { after, limit: pageSize })
        for (const one of page) entries.set(one.id, one)
        after = page.at(-1)?.id ?? after
      } while (page.length === pageSize)
      return { entries, seen }
    })

/** Those of a type in one scope, with the list that lookups share until one of them changes. */
interface OfScope {
  byId: Map<string, Subscription>
  list: readonly Subscription[] | undefined
}
type OfType = Map<string, OfScope>

const createEntries = () => {
  const byId = new Map<string, Subscription>()
  const types = new Map<string, OfType>()

  const add = (subscription: Subscription): void => {
    const { id, eventType, scopeId } = subscription
    const ofType: OfType = types.get(eventType) ?? new Map()
    types.set(eventType, ofType)
    const ofScope: OfScope = ofType.get(scopeId) ?? { byId: new Map(), list: undefined }
    ofType.set(scopeId, ofScope)
    ofScope.byId.set(id, subscription)
    ofScope.list = undefined
  }
  const remove = ({ id, eventType, scopeId }: Subscription): void => {
    const ofType = types.get(eventType)
    const ofScope = ofType?.get(scopeId)
    if (!ofType || !ofScope) return
    ofScope.byId.delete(id)
    ofScope.list = undefined
    if (ofScope.byId.size === 0) ofType.delete(scopeId)
    if (ofType.size === 0) types.delete(eventType)
  }
  return {
    set: (id: string, subscription: Subscription | undefined): void => {
      const before = byId.get(id)
      if (before) remove(before)
      byId.delete(id)
      if (!subscription) return
      byId.set(id, subscription)
      add(subscription)
    },
    has: (eventType: string): boolean => types.has(eventType),
    scopesOf: (eventType: string): Iterable<string> => types.get(eventType)?.keys() ?? [],
    find: (eventType: string, scopeId: string): readonly Subscription[] => {
      const ofScope = types.get(eventType)?.get(scopeId)
      if (!ofScope) return []
      ofScope.list ??= [...ofScope.byId.values()]
      return ofScope.list
    },
  }
}
