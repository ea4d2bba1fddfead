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

export const keyIdOf = ({ credential }: Payer): string => (credential?.kind === 'key' ? credential.id : nilId)

const storable = (model: string): string => model.slice(0, maxModelLength).replaceAll('\0', '').toWellFormed()

const nameOf = ({ day, principalId, organizationId, keyId, model }: UsageEntry): string =>
  `${day} ${principalId} ${organizationId} ${keyId} ${model}`

export const createPendingUsage = (): PendingUsage => {
  let entries = new Map<string, UsageEntry>()

  const merge = (entry: UsageEntry): void => {
    const name = nameOf(entry)
    const known = entries.get(name)
    if (!known) {
      entries.set(name, entry)
      return
    }
    known.requests += entry.requests
    known.failures += entry.failures
    known.promptTokens += entry.promptTokens
    known.completionTokens += entry.completionTokens
  }
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
      const taken = [...entries.values()]
      entries = new Map()
      return taken
    },
    putBack: (unwritten) => unwritten.forEach(merge),
    entries: () => entries.values(),
  }
}
