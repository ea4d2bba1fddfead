import type { ModelItem } from '@chancery/contract/models.ts'
import { describe, expect, it } from 'vitest'
import { chooseModels, matchModels, pinnedFirst, toggled } from './model-choice.ts'

const model = (id: string, fields: Partial<ModelItem> = {}): ModelItem => ({
  id,
  name: id.toUpperCase(),
  object: 'model',
  created: 0,
  owned_by: 'peer',
  connection_type: 'external',
  tags: [],
  ...fields,
})
const models = [model('away', { unavailable: true }), model('swift', { capabilities: ['vision'] }), model('wise')]
const ids = (list: { id: string }[]) => list.map(({ id }) => id)

describe('choosing models', () => {
  it('uses the first available wish, else any available model', () => {
    expect(ids(chooseModels(models, [['gone'], ['wise', 'wise', 'swift']]))).toEqual(['wise', 'swift'])
    expect(ids(chooseModels(models, [[], []]))).toEqual(['swift'])
    expect(chooseModels([], [['swift']])).toEqual([])
  })

  it('finds by name, owner and capability', () => {
    expect(ids(matchModels(models, 'VISI'))).toEqual(['swift'])
    expect(ids(matchModels(models, 'peer wis'))).toEqual(['wise'])
    expect(matchModels(models, 'nobody')).toEqual([])
  })

  it('adds and removes while comparing, but never the last one', () => {
    expect(toggled(['swift'], 'wise')).toEqual(['swift', 'wise'])
    expect(toggled(['swift', 'wise'], 'swift')).toEqual(['wise'])
    expect(toggled(['wise'], 'wise')).toEqual(['wise'])
    expect(toggled(['a', 'b', 'c', 'd'], 'e')).toEqual(['b', 'c', 'd', 'e'])
  })

  it('lists pinned models first, in the order of their pins, and the others as they were', () => {
    expect(ids(pinnedFirst(models, ['wise', 'gone', 'wise']))).toEqual(['wise', 'away', 'swift'])
    expect(ids(pinnedFirst(models, []))).toEqual(['away', 'swift', 'wise'])
  })
})
