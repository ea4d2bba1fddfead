import type { Model, ModelItem } from '@chancery/contract/models/models.ts'
import { describe, expect, it } from 'vitest'
import { findModels, modelRows } from './model-rows.ts'

const item = (id: string, more: Partial<ModelItem> = {}): ModelItem => ({
  id,
  name: id,
  object: 'model',
  created: 0,
  owned_by: 'x',
  connection_type: 'external',
  tags: [],
  ...more,
})
const record = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  name: id,
  model: id,
  base_model_id: null,
  meta: { description: '', capabilities: [], context_length: 1, max_output_tokens: 1 },
  params: { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 },
  created_at: 0,
  updated_at: 0,
  user_id: null,
  is_active: true,
  access_grants: null,
  write_access: true,
  ...more,
})

describe('the list of models', () => {
  it('shows the saved record over what the connection reports', () => {
    const [row] = modelRows([item('a')], [record('a', { name: 'Alpha', access_grants: [] })])
    expect(row).toMatchObject({ name: 'Alpha', grantCount: 0, isActive: true, source: 'external' })
  })

  it('keeps models that are off or whose connection is gone', () => {
    const [row] = modelRows([], [record('b', { is_active: false })])
    expect(row).toMatchObject({ id: 'b', isActive: false, isUnavailable: true })
  })

  it('treats a model without a record as available to everyone', () => {
    expect(modelRows([item('a')], [])).toMatchObject([{ grantCount: null, record: undefined }])
  })

  it('is searched by words in any order, in names and IDs', () => {
    const rows = modelRows([item('llama3:8b', { name: 'Small Llama' }), item('other')], [])
    expect(findModels(rows, '8b small').map(({ id }) => id)).toEqual(['llama3:8b'])
  })
})
