/** The enabled subscriptions in memory, compiled and indexed for lookup, with the version they were read at. */
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { StoredEvent, Subscription } from '../face.ts'
import { compileFilter, type Filter } from '../filter.ts'
import { listEnabledSubscriptionsUnscoped } from '../queries/subscriptions.ts'

export interface Subscribed {
  subscription: Subscription
  /** Undefined: every event of the type matches. */
  filter: Filter | undefined
}

export type FindSubscribed = (event: Pick<StoredEvent, 'eventType' | 'scopeId'>) => readonly Subscribed[]

interface Subscriptions {
  /** Whether there is a subscription to the type, in any scope. */
  hasSubscribers(eventType: string): boolean
  find: FindSubscribed
}

export interface SubscriptionIndex {
  /** In the dispatch's transaction, where `version` was read: the result is no older than that version. */
  atVersion(tx: Db, version: number): Promise<Subscriptions>
}

interface OfType {
  all: Subscribed[]
  byScope: Map<string, Subscribed[]>
}

const none: readonly Subscribed[] = []

export const createSubscriptionIndex = (): SubscriptionIndex => {
  let filters = new Map<string, Filter>()
  let subscriptions = buildIndex([])
  let current = -1

  /** Filters that were compiled for the version before are reused. */
  const compileAll = (subscriptions: readonly Subscription[]): Subscribed[] => {
    const used = new Map<string, Filter>()
    const subscribed = subscriptions.map((subscription) => {
      const text = subscription.filterExpr
      if (text === null) return { subscription, filter: undefined }
      const filter = used.get(text) ?? filters.get(text) ?? compileFilter(text)
      used.set(text, filter)
      return { subscription, filter }
    })
    filters = used
    return subscribed
  }
  return {
    atVersion: async (tx, version) => {
      if (version === current) return subscriptions
      subscriptions = buildIndex(compileAll(await listEnabledSubscriptionsUnscoped(tx)))
      current = version
      return subscriptions
    },
  }
}

/** An event of the instance reaches all scopes; an event of a scope only that scope. */
const buildIndex = (subscribed: readonly Subscribed[]): Subscriptions => {
  const types = new Map<string, OfType>()
  for (const one of subscribed) {
    const { eventType, scopeId } = one.subscription
    const ofType: OfType = types.get(eventType) ?? { all: [], byScope: new Map() }
    types.set(eventType, ofType)
    ofType.all.push(one)
    const inScope = ofType.byScope.get(scopeId) ?? []
    ofType.byScope.set(scopeId, inScope)
    inScope.push(one)
  }
  return {
    hasSubscribers: (eventType) => types.has(eventType),
    find: ({ eventType, scopeId }) => {
      const ofType = types.get(eventType)
      return (scopeId === instanceScope ? ofType?.all : ofType?.byScope.get(scopeId)) ?? none
    },
  }
}
