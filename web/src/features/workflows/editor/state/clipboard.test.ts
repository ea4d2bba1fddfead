import { describe, expect, it } from 'vitest'
import { graphOf } from '../../kinds/sample.ts'
import { clipOf, pasteClip, readClip, writeClip } from './clipboard.ts'

const graph = graphOf('a b c', 'a:true>b', 'b>c')

describe('nodes in the clipboard', () => {
  it('keep the edges between them and no others', () => {
    expect(clipOf(graph, new Set(['a', 'b'])).edges.map(({ id }) => id)).toEqual(['a-true-b'])
  })

  it('are pasted with new IDs, the same edges, and an offset', () => {
    const { graph: next, ids } = pasteClip(graph, clipOf(graph, new Set(['a', 'b'])), { x: 40, y: 40 })
    expect([...ids]).toEqual(['a_2', 'b_2'])
    expect(next.edges.at(-1)).toEqual({
      id: 'a_2-true-b_2',
      source: 'a_2',
      target: 'b_2',
      source_handle: 'true',
    })
    expect(next.nodes.find(({ id }) => id === 'a_2')?.position).toEqual({ x: 40, y: 40 })
    expect(new Set(next.nodes.map(({ id }) => id)).size).toBe(5)
  })

  it('get the next number when a copy is copied', () => {
    const clip = clipOf(graph, new Set(['a']))
    const once = pasteClip(graph, clip, { x: 0, y: 0 })
    const again = pasteClip(once.graph, clipOf(once.graph, once.ids), { x: 0, y: 0 })
    expect([...again.ids]).toEqual(['a_3'])
  })

  it('survive a round trip through text', () => {
    const clip = clipOf(graph, new Set(['a', 'b']))
    expect(readClip(writeClip(clip))).toEqual(clip)
  })

  it('are distinguished from other text', () => {
    expect(readClip('hello')).toBeUndefined()
    expect(readClip('chancery-nodes')).toBeUndefined()
    expect(readClip('{"chancery-nodes":1,"nodes":[{"id":"?"}],"edges":[]}')).toBeUndefined()
  })
})
