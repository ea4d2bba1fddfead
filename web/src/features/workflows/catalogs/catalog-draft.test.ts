import { CatalogBody } from '@chancery/contract/workflows/catalogs.ts'
import { describe, expect, it } from 'vitest'
import { catalogBody, entriesOf, keepsKey, modelIdsOf, newEntry, problemsByEntry } from './catalog-draft.ts'

const stored = {
  name: 'Main',
  type: 'compat' as const,
  url: 'https://api.example.com/v1',
  has_key: true,
  model_ids: ['swift', 'wise'],
  prices: { wise: { input: 3, output: 15 } },
}
const catalog = { id: 'c', name: 'Models', description: '', entries: [stored], created_at: 0, updated_at: 0 }
const [entry = newEntry(0)] = entriesOf(catalog)

describe('editing a catalog', () => {
  it('starts with one blank entry, or with the stored entries without their keys', () => {
    expect(entriesOf(undefined)).toEqual([newEntry(0)])
    expect(entry).toMatchObject({ name: 'Main', models: 'swift\nwise', key: '' })
  })

  it('sends a key only if one was typed, and null to remove it', () => {
    const keyIn = (change: object) => catalogBody({ name: 'x' }, [{ ...entry, ...change }]).entries[0]
    expect(keyIn({})).not.toHaveProperty('key')
    expect(keyIn({ key: ' sk-1 ' })).toMatchObject({ key: 'sk-1' })
    expect(keyIn({ key: 'sk-1', removesKey: true })).toMatchObject({ key: null })
  })

  it('knows when the stored key will be dropped', () => {
    expect(keepsKey(entry)).toBe(true)
    expect(keepsKey({ ...entry, url: 'https://api.example.com/v2' })).toBe(true)
    expect(keepsKey({ ...entry, url: 'https://elsewhere.example/v1' })).toBe(false)
    expect(keepsKey({ ...entry, name: 'Other' })).toBe(false)
    expect(keepsKey({ ...entry, removesKey: true })).toBe(false)
  })

  it('reads model IDs separated by lines or commas, without duplicates', () => {
    expect(modelIdsOf('swift, wise\n\nswift\n grand ')).toEqual(['swift', 'wise', 'grand'])
  })

  it('sends the prices of its own models only', () => {
    const pricesWith = (models: string) => catalogBody({ name: 'x' }, [{ ...entry, models }]).entries[0]?.prices
    expect(pricesWith('swift\nwise')).toEqual({ wise: { input: 3, output: 15 } })
    expect(pricesWith('swift')).toEqual({})
  })

  it('shows each problem at its entry', () => {
    const body = catalogBody({ name: 'x' }, [entry, { ...newEntry(1), name: 'Bad', url: 'nowhere' }])
    const checked = CatalogBody.safeParse(body)
    expect(checked.success ? [] : [...problemsByEntry(checked.error.issues).keys()]).toEqual([1])
  })
})
