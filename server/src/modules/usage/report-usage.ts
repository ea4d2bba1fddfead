/** Sums usage over a range of days: by day, model, user or key. */
import type { UsageQuery, UsageReport, UsageRow } from '@chancery/contract/models/usage.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { nilId } from '#kernel/ids.ts'
import { listApiKeysAmongUnscoped, listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import { addDays, daysBetween } from './calendar.ts'
import type { UsageContext } from './context.ts'
import { privateKeyId } from './pending-usage.ts'
import { requireScope } from './policy.ts'
import { presentSum } from './present.ts'
import { sumUsage, type UsageSum } from './queries/usage-days.ts'

const defaultDays = 30
const maxDays = 400
/** Of a report as JSON; a file has all of them. */
const maxRows = 1000

const columns = { day: 'day', model: 'model', user: 'principalId', key: 'keyId' } as const
const nothing = { requests: 0, failures: 0, promptTokens: 0, completionTokens: 0 }

export const reportUsage = async (
  { db, state }: Pick<UsageContext, 'db' | 'state'>,
  actor: Actor,
  query: UsageQuery,
): Promise<UsageReport> => {
  const { by, scope, model, format } = query
  requireScope(actor, scope)
  const range = rangeOf(query, state.today())
  // Include what this node has not written yet; other nodes write within a second.
  await state.flush()
  const sums = await sumUsage(db, actor, { scope, ...range, model, group: columns[by] })
  const rows =
    by === 'day'
      ? everyDay(range, sums)
      : await labelled(db, by, byTokens(sums).slice(0, format === 'csv' ? undefined : maxRows))
  return { ...range, rows, total: presentSum(sums.reduce(plus, nothing)) }
}

const rangeOf = ({ from, to }: Pick<UsageQuery, 'from' | 'to'>, today: string): { from: string; to: string } => {
  const last = to ?? today
  const first = from ?? addDays(last, 1 - defaultDays)
  if (first <= last && addDays(first, maxDays) > last) return { from: first, to: last }
  const msg = `the first day is after the last, or the range is longer than ${maxDays} days`
  throw new AppError('validation_failed', { problems: [{ loc: ['query', 'from'], msg, type: 'custom' }] })
}

const plus = (a: typeof nothing, b: typeof nothing): typeof nothing => ({
  requests: a.requests + b.requests,
  failures: a.failures + b.failures,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
})

const everyDay = ({ from, to }: { from: string; to: string }, sums: readonly UsageSum[]): UsageRow[] => {
  const byDay = new Map(sums.map((sum) => [sum.group, sum]))
  return daysBetween(from, to).map((day) => ({ group: day, label: day, ...presentSum(byDay.get(day) ?? nothing) }))
}

const byTokens = (sums: readonly UsageSum[]): UsageSum[] => {
  const tokens = (sum: UsageSum): number => sum.promptTokens + sum.completionTokens
  return sums.toSorted((a, b) => tokens(b) - tokens(a) || b.requests - a.requests || a.group.localeCompare(b.group))
}

/** Workflows of an organization call models as the organization itself. */
const listCallers = async (db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> => {
  const [people, organizations] = await Promise.all([
    listUsersAmongUnscoped(db, ids),
    listOrganizationsAmongUnscoped(db, ids),
  ])
  return [...people, ...organizations.map(({ id, name }) => ({ id, name: `${name} (workflows)` }))]
}

const labelled = async (db: Db, by: 'model' | 'user' | 'key', sums: readonly UsageSum[]): Promise<UsageRow[]> => {
  const ids = sums.map(({ group }) => group)
  const list = { model: async () => [], user: listCallers, key: listApiKeysAmongUnscoped }
  const names = new Map((await list[by](db, ids)).map(({ id, name }) => [id, name]))
  const labelOf = ({ group, principalKind }: UsageSum): string => {
    if (by === 'model') return group
    if (group === nilId) return 'Without a key'
    if (by === 'key' && group === privateKeyId) return 'Credentials of catalogs'
    return names.get(group) ?? (by === 'user' && principalKind === 'admin' ? 'Platform admin' : 'Unknown')
  }
  return sums.map((sum) => ({ group: sum.group === nilId ? '' : sum.group, label: labelOf(sum), ...presentSum(sum) }))
}
