import type { ModelItem } from '@chancery/contract/models/models.ts'
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
    const wishes = [['gone'], ['wise', 'wise', 'swift']]
    expect(ids(chooseModels(models, { asked: [], wishes }))).toEqual(['wise', 'swift'])
    expect(ids(chooseModels(models, { asked: ['swift'], wishes }))).toEqual(['swift'])
    expect(ids(chooseModels(models, { asked: [], wishes: [[]] }))).toEqual(['swift'])
    expect(chooseModels([], { asked: [], wishes: [['swift']] })).toEqual([])
  })

  it('uses the guide only where it is asked for, or there is nothing else', () => {
    const guide = model('guide')
    const choice = (from: ModelItem[], asked: string[], wishes: string[][] = [['guide']]) =>
      ids(chooseModels(from, { asked, wishes }))
    expect(choice([guide, ...models], [])).toEqual(['swift'])
    expect(choice([guide, ...models], ['gone'], [['guide', 'wise']])).toEqual(['wise'])
    expect(choice([guide, model('away', { unavailable: true })], [])).toEqual(['away'])
    expect(choice([guide, ...models], ['guide'])).toEqual(['guide'])
    expect(choice([guide], [])).toEqual(['guide'])
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
