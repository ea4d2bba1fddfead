/** Usage that is not written yet, summed in memory so that a thousand calls cost one row. */
import { nilId } from '#kernel/ids.ts'
import type { Payer, Use } from '#kernel/meter.ts'
import type { UsageDaysTable } from './tables.ts'

export type UsageEntry = UsageDaysTable

export interface PendingUsage {
  add(payer: Payer, use: Use, day: string): void
  /** Removes and returns everything, to be written. */
  take(): UsageEntry[]
  /** Adds back what could not be written. */
  putBack(entries: readonly UsageEntry[]): void
  entries(): Iterable<UsageEntry>
}

const maxModelLength = 300
const maxTokens = 1_000_000_000_000

/** A provider may report anything; one odd number must not keep the batch from being written. */
const count = (value: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), 0), maxTokens) : 0

export const tokensOf = (use: Pick<Use, 'promptTokens' | 'completionTokens'>): number =>
  count(use.promptTokens) + count(use.completionTokens)

/** In the column of keys: the call was paid with credentials of a user, and is nothing of what an organization shares. */
export const privateKeyId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const keyIdOf = ({ credential, isPrivate }: Payer): string => {
  if (isPrivate) return privateKeyId
  return credential?.kind === 'key' ? credential.id : nilId
}

const storable = (model: string): string =>
  model.length <= maxModelLength && model.isWellFormed() && !model.includes('\0')
    ? model
    : model.slice(0, maxModelLength).replaceAll('\0', '').toWellFormed()

const isSameRow = (one: UsageEntry, other: UsageEntry): boolean =>
  one.keyId === other.keyId && one.organizationId === other.organizationId && one.day === other.day

/** By model, then by principal. Joined into one text they would be hashed again for every call. */
type Rows = Map<string, Map<string, UsageEntry[]>>

export const createPendingUsage = (): PendingUsage => {
  let rows: Rows = new Map()

  /** A principal's use of a model: few entries, by key, organization and day. */
  const entriesOf = ({ model, principalId }: UsageEntry): UsageEntry[] => {
    const ofModel = rows.get(model) ?? new Map<string, UsageEntry[]>()
    const ofPrincipal = ofModel.get(principalId) ?? []
    if (ofPrincipal.length === 0) rows.set(model, ofModel.set(principalId, ofPrincipal))
    return ofPrincipal
  }
  const merge = (entry: UsageEntry): void => {
    const entries = entriesOf(entry)
    const known = entries.find((one) => isSameRow(one, entry))
    if (!known) {
      entries.push(entry)
      return
    }
    known.requests += entry.requests
    known.failures += entry.failures
    known.promptTokens += entry.promptTokens
    known.completionTokens += entry.completionTokens
  }
  const all = (): UsageEntry[] => [...rows.values()].flatMap((ofModel) => [...ofModel.values()].flat())
  return {
    add: (payer, use, day) =>
      merge({
        day,
        principalKind: payer.kind,
        principalId: payer.id,
        organizationId: payer.organizationId ?? nilId,
        keyId: keyIdOf(payer),
        model: storable(use.model),
        requests: 1,
        failures: use.failed ? 1 : 0,
        promptTokens: count(use.promptTokens),
        completionTokens: count(use.completionTokens),
      }),
    take: () => {
      const taken = all()
      rows = new Map()
      return taken
    },
    putBack: (unwritten) => unwritten.forEach(merge),
    entries: all,
  }
}
