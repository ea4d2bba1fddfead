/** The enabled subscriptions, compiled and sorted for lookup. A copy in memory, with the version it is a copy of. */

import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { StoredEvent, Subscription } from '../face.ts'
import { compileFilter, type Filter } from '../filter.ts'
import { listEnabledSubscriptionsUnscoped } from '../queries/subscriptions.ts'

export interface Subscribed {
  subscription: Subscription
  /** Absent: every event of the type. */
  filter: Filter | undefined
}

export type FindSubscribed = (event: Pick<StoredEvent, 'eventType' | 'scopeId'>) => readonly Subscribed[]

interface Subscriptions {
  /** Whether anybody, in whichever scope, has subscribed to the type. */
  isHeard(eventType: string): boolean
  find: FindSubscribed
}

export interface SubscriptionIndex {
  /** In the dispatch's transaction: `version` was read there, so what is answered is no older than that. */
  freshAs(tx: Db, version: number): Promise<Subscriptions>
}

interface OfType {
  all: Subscribed[]
  byScope: Map<string, Subscribed[]>
}

const none: readonly Subscribed[] = []

export const createSubscriptionIndex = (): SubscriptionIndex => {
  let filters = new Map<string, Filter>()
  let subscriptions = indexed([])
  let current = -1

  /** Filters that are in use already are not compiled again. */
  const compileAll = (subscriptions: readonly Subscription[]): Subscribed[] => {
    const kept = new Map<string, Filter>()
    const subscribed = subscriptions.map((subscription) => {
      const text = subscription.filterExpr
      if (text === null) return { subscription, filter: undefined }
      const filter = kept.get(text) ?? filters.get(text) ?? compileFilter(text)
      kept.set(text, filter)
      return { subscription, filter }
    })
    filters = kept
    return subscribed
  }
  return {
    freshAs: async (tx, version) => {
      if (version === current) return subscriptions
      subscriptions = indexed(compileAll(await listEnabledSubscriptionsUnscoped(tx)))
      current = version
      return subscriptions
    },
  }
}

/** An event of the instance is everybody's; one of a scope is that scope's alone. */
const indexed = (subscribed: readonly Subscribed[]): Subscriptions => {
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
    isHeard: (eventType) => types.has(eventType),
    find: ({ eventType, scopeId }) => {
      const ofType = types.get(eventType)
      return (scopeId === instanceScope ? ofType?.all : ofType?.byScope.get(scopeId)) ?? none
    },
  }
}
