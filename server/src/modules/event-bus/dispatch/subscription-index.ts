/** The active subscriptions in memory, indexed for lookup, with the version they were read at. */
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { StoredEvent, Subscription } from '../interface.ts'
import { listActiveSubscriptionsUnscoped } from '../queries/subscriptions.ts'

interface Subscriptions {
  /** True when there is a subscription to the type, in any scope. */
  hasSubscribers(eventType: string): boolean
  find(event: Pick<StoredEvent, 'eventType' | 'scopeId'>): readonly Subscription[]
}

export interface SubscriptionIndex {
  /** In the dispatch's transaction, where `version` was read: the result is no older than that version. */
  atVersion(tx: Db, version: number): Promise<Subscriptions>
}

interface OfType {
  all: Subscription[]
  byScope: Map<string, Subscription[]>
}

const none: readonly Subscription[] = []

export const createSubscriptionIndex = (): SubscriptionIndex => {
  let subscriptions = buildIndex([])
  let current = -1
  return {
    atVersion: async (tx, version) => {
      if (version === current) return subscriptions
      subscriptions = buildIndex(await listActiveSubscriptionsUnscoped(tx))
      current = version
      return subscriptions
    },
  }
}

/** An event of the instance reaches all scopes; an event of a scope only that scope. */
const buildIndex = (subscriptions: readonly Subscription[]): Subscriptions => {
  const types = new Map<string, OfType>()
  for (const subscription of subscriptions) {
    const { eventType, scopeId } = subscription
    const ofType: OfType = types.get(eventType) ?? { all: [], byScope: new Map() }
    types.set(eventType, ofType)
    ofType.all.push(subscription)
    const inScope = ofType.byScope.get(scopeId) ?? []
    ofType.byScope.set(scopeId, inScope)
    inScope.push(subscription)
  }
  return {
    hasSubscribers: (eventType) => types.has(eventType),
    find: ({ eventType, scopeId }) => {
      const ofType = types.get(eventType)
      return (scopeId === instanceScope ? ofType?.all : ofType?.byScope.get(scopeId)) ?? none
    },
  }
}
