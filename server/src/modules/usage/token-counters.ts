/**
 * The tokens that each limited account has used this month, in memory. Loaded from the database once, then increased by
 * what this node records, and reloaded every few seconds to pick up what other nodes wrote.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Payer } from '#kernel/meter.ts'
import { addDays, monthStart } from './calendar.ts'
import { privateKeyId, type UsageEntry } from './pending-usage.ts'
import { sumByKeyUnscoped, sumByOrganizationUnscoped, sumByPrincipalUnscoped } from './queries/usage-days.ts'

/** Whose usage is summed. */
export interface Account {
  kind: 'principal' | 'key' | 'organization'
  id: string
  /** The caller's id: a key's rows are found through its owner. */
  ownerId: string
}

export interface Counter {
  day: string
  /** Tokens of this month up to yesterday. They rarely change, so a refresh does not read them. */
  earlier: number
  today: number
}

interface Loading {
  accounts: readonly Account[]
  day: string
  /** Usage that the database does not have yet. */
  unwritten: () => Iterable<UsageEntry>
}

export interface TokenCounters {
  /** Undefined when it must be loaded first. */
  find(account: Account, day: string): Counter | undefined
  load(on: Db, which: Loading): Promise<void>
  /** Reloads today's usage. */
  refresh(day: string, unwritten: () => Iterable<UsageEntry>): Promise<void>
  add(payer: Payer, tokens: number, day: string): void
}

/** In refreshes, about a minute. After that a counter is dropped, and loaded as a whole when it is needed again. */
const maxAge = 30

/** What an organization shares is spent by calls that the instance answers, not by those behind credentials of a user. */
export const accountsOf = ({ id, organizationId, credential, isPrivate }: Payer) => ({
  principal: { kind: 'principal', id, ownerId: id } as Account,
  key: credential?.kind === 'key' ? ({ kind: 'key', id: credential.id, ownerId: id } as Account) : undefined,
  organization:
    organizationId === null || isPrivate
      ? undefined
      : ({ kind: 'organization', id: organizationId, ownerId: id } as Account),
})

export const nameOf = ({ kind, id }: Pick<Account, 'kind' | 'id'>): string => `${kind} ${id}`

export const createTokenCounters = (db: Db): TokenCounters => {
  const loaded = new Map<string, { account: Account; counter: Counter; age: number }>()
  return {
    find: (account, day) => {
      const counter = loaded.get(nameOf(account))?.counter
      return counter?.day === day ? counter : undefined
    },
    load: async (on, { accounts, day, unwritten }) => {
      const [monthSoFar, onlyToday] = [
        { from: monthStart(day), before: day },
        { from: day, before: addDays(day, 1) },
      ]
      const [earlier, today] = await Promise.all([sumOf(on, accounts, monthSoFar), sumOf(on, accounts, onlyToday)])
      addUnwritten(earlier, unwritten(), monthSoFar)
      addUnwritten(today, unwritten(), onlyToday)
      for (const account of accounts) {
        const name = nameOf(account)
        const counter = { day, earlier: earlier.get(name) ?? 0, today: today.get(name) ?? 0 }
        loaded.set(name, { account, counter, age: 0 })
      }
    },
    refresh: async (day, unwritten) => {
      for (const [name, known] of loaded) {
        known.age += 1
        if (known.age > maxAge || known.counter.day !== day) loaded.delete(name)
      }
      if (loaded.size === 0) return
      const accounts = [...loaded.values()].map(({ account }) => account)
      const onlyToday = { from: day, before: addDays(day, 1) }
      const today = await sumOf(db, accounts, onlyToday)
      addUnwritten(today, unwritten(), onlyToday)
      for (const [name, { counter }] of loaded) counter.today = today.get(name) ?? 0
    },
    add: (payer, tokens, day) => {
      if (loaded.size === 0) return
      for (const account of Object.values(accountsOf(payer))) {
        const counter = account && loaded.get(nameOf(account))?.counter
        if (counter?.day === day) counter.today += tokens
      }
    },
  }
}

interface Range {
  from: string
  /** The first day that is not counted. */
  before: string
}

const sumOf = async (db: Db, accounts: readonly Account[], range: Range): Promise<Map<string, number>> => {
  const idsOf = (some: readonly Account[]): string[] => some.map(({ id }) => id)
  const queries = {
    principal: (some: Account[]) => sumByPrincipalUnscoped(db, idsOf(some), range),
    organization: (some: Account[]) => sumByOrganizationUnscoped(db, idsOf(some), range),
    key: (some: Account[]) => sumByKeyUnscoped(db, some, range),
  }
  const sums = new Map<string, number>()
  for (const [kind, some] of Map.groupBy(accounts, (account) => account.kind))
    for (const { id, tokens } of await queries[kind](some)) sums.set(nameOf({ kind, id }), tokens)
  return sums
}

/** Adds usage that the database does not have yet. */
const addUnwritten = (sums: Map<string, number>, entries: Iterable<UsageEntry>, { from, before }: Range): void => {
  for (const entry of entries) {
    if (entry.day < from || entry.day >= before) continue
    const concerned = [
      { kind: 'principal', id: entry.principalId },
      { kind: 'key', id: entry.keyId },
      ...(entry.keyId === privateKeyId ? [] : [{ kind: 'organization', id: entry.organizationId } as const]),
    ] as const
    for (const account of concerned) {
      const name = nameOf(account)
      sums.set(name, (sums.get(name) ?? 0) + entry.promptTokens + entry.completionTokens)
    }
  }
}
