import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { VersionDiff } from '@chancery/contract/workflows/workflows.ts'
import { describe, expect, it } from 'vitest'
import { fieldsOfNode, listChanges, shownChange, stepChange, valueText } from './changes.ts'

const node = (id: string, x: number): GraphNode => ({
  id,
  type: 'agent',
  name: id,
  position: { x, y: 0 },
  config: { model: 'swift' },
})
const side = { type: 'Draft' as const, timestamp: 0, author: { id: 'a', name: 'Ana' }, graph_hash: 'h' }
const diff: VersionDiff = {
  from: side,
  to: side,
  nodes: {
    added: [{ id: 'last', name: 'last', type: 'agent' }],
    removed: [{ id: 'first', name: 'first', type: 'agent' }],
    changed: [{ id: 'middle', name: 'middle', fields: [{ path: 'config.model', before: 'a', after: 'b' }] }],
    unchanged: [],
  },
  edges: { added: [{ id: 'e', source: 'first', target: 'last' }], removed: [], unchanged: [] },
  settings: { changed: [{ path: 'deadline_sec', before: null, after: 60 }] },
  summary: { added: 2, removed: 1, changed: 2, unchanged: 0, text: '' },
}
const graph = { nodes: [node('last', 900), node('middle', 400), node('first', 0)], edges: [] }

describe('the changes of a comparison', () => {
  it('are in reading order: nodes from left to right, then edges, then settings', () => {
    expect(listChanges(diff, graph).map(({ key }) => key)).toEqual(['first', 'middle', 'last', ':edges', ':settings'])
  })

  it('leave out unchanged edges and settings', () => {
    const idle = { ...diff, edges: { added: [], removed: [], unchanged: [] }, settings: { changed: [] } }
    expect(listChanges(idle, graph)).toHaveLength(3)
  })

  it('are selected by hand, and the only one by itself', () => {
    const changes = listChanges(diff, graph)
    expect(shownChange(changes, undefined)).toBeUndefined()
    expect(shownChange(changes, 'middle')).toBe('middle')
    expect(shownChange(changes.slice(0, 1), undefined)).toBe('first')
    expect(shownChange([], undefined)).toBeUndefined()
  })

  it('can be stepped through in both directions, wrapping around', () => {
    const changes = listChanges(diff, graph)
    expect(stepChange(changes, undefined, 1)).toBe('first')
    expect(stepChange(changes, undefined, -1)).toBe(':settings')
    expect(stepChange(changes, 'first', 1)).toBe('middle')
    expect(stepChange(changes, 'first', -1)).toBe(':settings')
    expect(stepChange(changes, ':settings', 1)).toBe('first')
    expect(stepChange(changes, 'unchanged', 1)).toBe('first')
    expect(stepChange([], undefined, 1)).toBeUndefined()
  })
})

describe('a value', () => {
  it('is shown in readable form, and a secret is masked', () => {
    expect(valueText('text')).toEqual({ text: 'text', look: 'plain' })
    expect(valueText({ a: 1 })).toEqual({ text: '{\n  "a": 1\n}', look: 'plain' })
    expect(valueText(null).look).toBe('none')
    expect(valueText('•••••• (after)')).toEqual({ text: 'hidden secret', look: 'secret' })
  })

  it('of a whole node has one line per field', () => {
    expect(fieldsOfNode(node('ask', 0)).map(({ path }) => path)).toEqual(['name', 'type', 'config.model'])
  })
})
