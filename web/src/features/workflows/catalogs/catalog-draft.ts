/** A catalog while it is edited, and the request body made from it. */
import { type PriceDrafts, priceDrafts, pricesBody } from '#lib/form/prices.ts'
import { problemText } from '#lib/problems/problem-text.ts'
import type { CatalogItem } from './api.ts'

export interface EntryDraft {
  /** React key only; the server identifies entries by name. */
  rowId: number
  name: string
  type: 'compat' | 'upstream'
  url: string
  /** As typed; blank keeps the stored key. */
  key: string
  removesKey: boolean
  /** As typed: one ID per line, or separated by commas. */
  models: string
  prices: PriceDrafts
  /** The stored entry, if there is one. */
  stored?: CatalogItem['entries'][number]
}

export const newEntry = (rowId: number): EntryDraft => ({
  rowId,
  name: '',
  type: 'compat',
  url: '',
  key: '',
  removesKey: false,
  models: '',
  prices: priceDrafts(),
})

export const entriesOf = (catalog: CatalogItem | undefined): EntryDraft[] =>
  catalog === undefined
    ? [newEntry(0)]
    : catalog.entries.map((stored, rowId) => ({
        rowId,
        name: stored.name,
        type: stored.type,
        url: stored.url,
        key: '',
        removesKey: false,
        models: stored.model_ids.join('\n'),
        prices: priceDrafts(stored.prices),
        stored,
      }))

export const modelIdsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\n,]/)
      .map((id) => id.trim())
      .filter(Boolean),
  ),
]

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

/**
 * True if the server will keep the stored key. It identifies an entry by name, type and URL: if one of them changes,
 * the key must be entered again, so a key is never sent to a server it wasn't meant for.
 */
export function keepsKey({ stored, name, type, url, key, removesKey }: EntryDraft): boolean {
  if (!stored?.has_key || removesKey || key !== '') return false
  const isSameServer = originOf(stored.url) !== undefined && originOf(stored.url) === originOf(url.trim())
  return stored.name === name.trim() && stored.type === type && isSameServer
}

const keyOf = ({ key, removesKey }: EntryDraft) => {
  if (removesKey) return { key: null }
  return key.trim() === '' ? {} : { key: key.trim() }
}

export const catalogBody = (fields: { name?: string; description?: string }, entries: readonly EntryDraft[]) => ({
  name: fields.name ?? '',
  description: (fields.description ?? '').trim(),
  entries: entries.map((entry) => ({
    name: entry.name,
    type: entry.type,
    url: entry.url.trim(),
    ...keyOf(entry),
    model_ids: modelIdsOf(entry.models),
    prices: pricesBody(entry.prices, modelIdsOf(entry.models)),
  })),
})

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** `entries.1.url` → the problem with that field of the second entry; problems with the whole list have no index. */
export function problemsByEntry(issues: readonly Issue[]): Map<number, Record<string, string>> {
  const found = new Map<number, Record<string, string>>()
  for (const { path, message } of issues) {
    const [first, index, field] = path
    if (first !== 'entries' || typeof index !== 'number') continue
    const problems = found.get(index) ?? {}
    problems[typeof field === 'string' ? field : 'name'] ??= problemText(message)
    found.set(index, problems)
  }
  return found
}
