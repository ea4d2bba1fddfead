/** Every limit, in memory: which of them concern a caller is answered at once. */
import type { Actor } from '#kernel/http/actor.ts'
import type { LimitRow } from './queries/limits.ts'
import { type Account, accountsOf } from './tally.ts'

/** A limit, and whose use counts against it. */
export interface Concern {
  limit: LimitRow
  account: Account
}

export interface LimitBook {
  takeOver(rows: readonly LimitRow[]): void
  isEmpty(): boolean
  /** Whether the caller's groups matter at all. */
  hasGroups(): boolean
  /** Narrow ones first: what they refuse is not taken from an allowance that is shared with others. */
  concerning(actor: Actor, groups: ReadonlySet<string>): Concern[]
}

const nameOf = (type: LimitRow['subjectType'], id: string): string => `${type} ${id}`

export const createLimitBook = (): LimitBook => {
  let limits = new Map<string, LimitRow[]>()
  let forEveryone: LimitRow[] = []
  let hasGroups = false

  const of = (type: LimitRow['subjectType'], id: string): LimitRow[] => limits.get(nameOf(type, id)) ?? []

  return {
    takeOver: (rows) => {
      limits = Map.groupBy(rows, ({ subjectType, subjectId }) => nameOf(subjectType, subjectId))
      forEveryone = rows.filter(({ subjectType }) => subjectType === 'everyone')
      hasGroups = rows.some(({ subjectType }) => subjectType === 'group')
    },
    isEmpty: () => limits.size === 0,
    hasGroups: () => hasGroups,
    concerning: (actor, groups) => {
      const { principal, key, organization } = accountsOf(actor)
      const ownGroups = hasGroups ? [...groups].flatMap((id) => of('group', id)) : []
      const personal = [...of('user', actor.id), ...ownGroups, ...forEveryone]
      return [
        ...(key ? of('key', key.id).map((limit) => ({ limit, account: key })) : []),
        ...personal.map((limit) => ({ limit, account: principal })),
        ...(organization ? of('organization', organization.id).map((limit) => ({ limit, account: organization })) : []),
      ]
    },
  }
}
