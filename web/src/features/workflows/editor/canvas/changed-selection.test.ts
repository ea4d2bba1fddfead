import { describe, expect, it } from 'vitest'
import { startId } from '../../graph/start-node.ts'
import { selectionOf } from '../state/editor-state.ts'
import { changedSelection } from './changed-selection.ts'

const select = (id: string, selected: boolean) => ({ type: 'select' as const, id, selected })

describe('the selection after canvas changes', () => {
  it('adds what was selected and removes what was deselected', () => {
    const { nodes, edges } = changedSelection(
      selectionOf('a'),
      [select('a', false), select('b', true)],
      [select('e', true)],
    )
    expect([[...nodes], [...edges]]).toEqual([['b'], ['e']])
  })

  it('has the Start node only on its own', () => {
    expect([...changedSelection(selectionOf(), [select(startId, true)], []).nodes]).toEqual([startId])
    const box = [select(startId, true), select('a', true)]
    expect([...changedSelection(selectionOf(), box, []).nodes]).toEqual(['a'])
  })

  it('stays the same object if nothing changed', () => {
    const selection = selectionOf('a')
    expect(changedSelection(selection, [select('a', true), select('x', false)], [])).toBe(selection)
  })
})
