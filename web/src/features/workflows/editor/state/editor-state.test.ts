import { describe, expect, it } from 'vitest'
import { graphOf } from '../../kinds/sample.ts'
import { beginEditing, editorReducer, selectionOf } from './editor-state.ts'
import { addNode, removeElements } from './graph-edits.ts'

const begin = () => beginEditing(graphOf('a b', 'a>b'), 'a')
const removeA = {
  type: 'edit' as const,
  edit: (graph: ReturnType<typeof graphOf>) => removeElements(graph, new Set(['a']), new Set()),
  at: 0,
}

describe('editing', () => {
  it('starts with the node from the URL selected, if it exists', () => {
    expect([...begin().selection.nodes]).toEqual(['a'])
    expect(beginEditing(graphOf('a'), 'x').selection.nodes.size).toBe(0)
  })

  it('deselects what is removed, and undo brings it back', () => {
    const removed = editorReducer(begin(), removeA)
    expect(removed.selection.nodes.size).toBe(0)
    const back = editorReducer(removed, { type: 'undo' })
    expect(back.history.present.nodes).toHaveLength(2)
    expect([...back.selection.nodes]).toEqual(['a'])
  })

  it('selects what an edit created', () => {
    const state = editorReducer(begin(), {
      type: 'edit',
      edit: (graph) => addNode(graph, 'wait', { x: 0, y: 0 }).graph,
      at: 0,
      select: selectionOf('wait'),
    })
    expect([...state.selection.nodes]).toEqual(['wait'])
  })

  it('can return to its own graph after taking over another one', () => {
    const state = editorReducer(begin(), { type: 'adopt', graph: graphOf('x'), at: 0 })
    expect(state.selection.nodes.size).toBe(0)
    expect(editorReducer(state, { type: 'undo' }).history.present.nodes).toHaveLength(2)
  })

  it("does not add an undo step for the server's normalization", () => {
    const state = begin()
    const graph = graphOf('a b')
    const settled = editorReducer(state, { type: 'settle', from: state.history.present, graph })
    expect(settled.history).toMatchObject({ present: graph, past: [] })
    expect(editorReducer(settled, { type: 'settle', from: state.history.present, graph: graphOf('x') })).toBe(settled)
  })

  it('returns the same state if nothing changed', () => {
    const state = begin()
    expect(editorReducer(state, { type: 'undo' })).toBe(state)
    expect(editorReducer(state, { type: 'select', change: (now) => now })).toBe(state)
  })
})
