/** All limits in memory, indexed by subject. */
import type { Payer } from '#kernel/meter.ts'
import type { LimitRow } from './queries/limits.ts'
import { type Account, accountsOf } from './token-counters.ts'

/** A limit that applies to a caller, and the account whose usage counts against it. */
export interface ApplicableLimit {
  limit: LimitRow
  account: Account
}

export interface LimitIndex {
  replace(rows: readonly LimitRow[]): void
  isEmpty(): boolean
  /** True when any limit is set for a group. */
  hasGroups(): boolean
  /** Narrow limits first: a call that they refuse must not use up a shared rate. */
  applicableTo(payer: Payer, groups: ReadonlySet<string>): ApplicableLimit[]
}

const nameOf = (type: LimitRow['subjectType'], id: string): string => `${type} ${id}`

export const createLimitIndex = (): LimitIndex => {
  let limits = new Map<string, LimitRow[]>()
  let forEveryone: LimitRow[] = []
  let hasGroups = false

  const of = (type: LimitRow['subjectType'], id: string): LimitRow[] => limits.get(nameOf(type, id)) ?? []

  return {
    replace: (rows) => {
      limits = Map.groupBy(rows, ({ subjectType, subjectId }) => nameOf(subjectType, subjectId))
      forEveryone = rows.filter(({ subjectType }) => subjectType === 'everyone')
      hasGroups = rows.some(({ subjectType }) => subjectType === 'group')
    },
    isEmpty: () => limits.size === 0,
    hasGroups: () => hasGroups,
    applicableTo: (payer, groups) => {
      const { principal, key, organization } = accountsOf(payer)
      const ownGroups = hasGroups ? [...groups].flatMap((id) => of('group', id)) : []
      const personal = [...of('user', payer.id), ...ownGroups, ...forEveryone]
      return [
        ...(key ? of('key', key.id).map((limit) => ({ limit, account: key })) : []),
        ...personal.map((limit) => ({ limit, account: principal })),
        ...(organization ? of('organization', organization.id).map((limit) => ({ limit, account: organization })) : []),
      ]
    },
  }
}
