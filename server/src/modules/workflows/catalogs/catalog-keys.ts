/** The keys of a catalog: encrypted for its id when they are saved, decrypted only for runs. */
import type { CatalogBody } from '@chancery/contract/workflows/catalogs.ts'
import type { z } from 'zod'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { CatalogRow } from '../queries/catalogs.ts'
import type { CatalogEntry } from '../tables.ts'

type SentEntry = z.output<typeof CatalogBody>['entries'][number]
type Keys = Pick<CatalogRow, 'entries' | 'sealedKeys'>

const sealedAs = storedSeal({ purpose: 'catalog', table: 'catalogs', columns: ['sealed_keys'], by: ['id'] })

/**
 * Entries as they are stored, with their keys in a second list. An entry sent without a key keeps its own, as long as it
 * still points at the server the key was entered for. Otherwise the key is dropped, so that nobody can send it to a server
 * of their own. Prices are kept and dropped in the same way.
 */
export const sealEntries = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { id, entries, sealedKeys }: Pick<CatalogRow, 'id'> & Keys,
  sent: readonly SentEntry[],
): Keys => {
  const findIndex = ({ name, type, url }: SentEntry): number =>
    entries.findIndex((one) => one.name === name && one.type === type && isSameServer(one.url, url))
  const seal = (entry: SentEntry): string | null => {
    if (entry.key === undefined) return sealedKeys[findIndex(entry)] ?? null
    return entry.key === null ? null : sealer.seal(entry.key, sealedAs(id))
  }
  const stored = (entry: SentEntry): CatalogEntry => {
    const { name, type, url, model_ids, prices = entries[findIndex(entry)]?.prices ?? {} } = entry
    return { name, type, url, model_ids: [...new Set(model_ids)], prices }
  }
  return { entries: sent.map(stored), sealedKeys: sent.map(seal) }
}

const isSameServer = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

export type OpenEntry = CatalogEntry & { key: string | null }

/** Throws a SealError when a key can't be decrypted: a run must not continue without its credentials. */
export const openEntries = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { id, entries, sealedKeys }: Pick<CatalogRow, 'id'> & Keys,
): OpenEntry[] =>
  entries.map((entry, index) => {
    const sealedKey = sealedKeys[index]
    return { ...entry, key: sealedKey ? sealer.open(sealedKey, sealedAs(id)) : null }
  })
