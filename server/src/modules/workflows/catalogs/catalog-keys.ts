/** The keys of a catalog: sealed to its id as they come in, opened for runs alone. */
import type { CatalogBody } from '@chancery/contract/catalogs.ts'
import type { z } from 'zod'
import type { Kernel } from '#kernel/kernel.ts'
import type { CatalogRow } from '../queries/catalogs.ts'
import type { CatalogEntry } from '../tables.ts'

type SentEntry = z.output<typeof CatalogBody>['entries'][number]
type Keys = Pick<CatalogRow, 'entries' | 'sealedKeys'>

const sealedAs = (catalogId: string): string => `catalog:${catalogId}`

/**
 * The entries as they are stored, their keys beside them. An entry that is sent without a key keeps its own, as long as
 * it stays with the server the key was entered for: pointed elsewhere it forgets it, so that no key can be fetched so.
 * Prices stay and go the same way: those of another server are not those.
 */
export const sealEntries = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { id, entries, sealedKeys }: Pick<CatalogRow, 'id'> & Keys,
  sent: readonly SentEntry[],
): Keys => {
  const placeOf = ({ name, type, url }: SentEntry): number =>
    entries.findIndex((one) => one.name === name && one.type === type && isSameServer(one.url, url))
  const seal = (entry: SentEntry): string | null => {
    if (entry.key === undefined) return sealedKeys[placeOf(entry)] ?? null
    return entry.key === null ? null : sealer.seal(entry.key, sealedAs(id))
  }
  const stored = (entry: SentEntry): CatalogEntry => {
    const { name, type, url, model_ids, prices = entries[placeOf(entry)]?.prices ?? {} } = entry
    return { name, type, url, model_ids: [...new Set(model_ids)], prices }
  }
  return { entries: sent.map(stored), sealedKeys: sent.map(seal) }
}

const isSameServer = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

export type OpenEntry = CatalogEntry & { key: string | null }

/** Throws a SealError where a key cannot be opened: a run must not go on without the credentials it was given. */
export const openEntries = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { id, entries, sealedKeys }: Pick<CatalogRow, 'id'> & Keys,
): OpenEntry[] =>
  entries.map((entry, index) => {
    const sealedKey = sealedKeys[index]
    return { ...entry, key: sealedKey ? sealer.open(sealedKey, sealedAs(id)) : null }
  })
