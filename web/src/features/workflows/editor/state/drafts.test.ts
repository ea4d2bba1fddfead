import { describe, expect, it } from 'vitest'
import { graphOf } from '../../kinds/sample.ts'
import { draftAt, draftsOfNodes, liveDrafts, valueAt, withDraft, withDraftProblems, withoutDraft } from './drafts.ts'
import { configureNode, removeElements } from './graph-edits.ts'

const graph = configureNode(graphOf('a b'), 'a', { arguments: { x: 1 }, cases: [{ handle: 'big' }] })
const field = { nodeId: 'a', path: 'config.arguments' }
const draft = { ...field, text: '{"x": ', problem: 'This isn’t valid JSON.', over: '{"x":1}' }
const problemWith = (part: object) => ({ node_id: null, edge_id: null, field: null, message: 'Is missing.', ...part })

describe("text that can't be applied yet", () => {
  it('is stored once per field and node', () => {
    const other = { ...draft, nodeId: 'b', over: undefined }
    const longer = { ...draft, text: '{"x": 2' }
    const drafts = withDraft(withDraft(withDraft([], draft), other), longer)
    expect(drafts).toEqual([longer, other])
    expect(draftAt(drafts, field)).toEqual(longer)
    expect(withoutDraft(drafts, field)).toEqual([other])
    expect(withoutDraft([other], field)).toEqual([other])
  })

  it('is found for nested values', () => {
    expect(valueAt(graph, field)).toBe('{"x":1}')
    expect(valueAt(graph, { nodeId: 'a', path: 'name' })).toBe('"A"')
    expect(valueAt(graph, { nodeId: 'a', path: 'config.cases[0].handle' })).toBe('"big"')
    expect(valueAt(graph, { nodeId: 'a', path: 'config.retry.max_attempts' })).toBeUndefined()
    expect(
      valueAt({ ...graph, settings: { deadline_sec: 60 } }, { nodeId: undefined, path: 'settings.deadline_sec' }),
    ).toBe('60')
  })

  it('is dropped with its node or when the value below it changes', () => {
    expect(liveDrafts(graph, [draft])).toEqual([draft])
    expect(liveDrafts(configureNode(graph, 'a', { model: 'guide' }), [draft])).toEqual([draft])
    expect(liveDrafts(configureNode(graph, 'a', { arguments: { x: 2 } }), [draft])).toEqual([])
    const unset = { ...draft, path: 'config.body', over: undefined }
    expect(liveDrafts(graph, [unset])).toEqual([unset])
  })

  it("is removed with its node, so a later node with the same ID doesn't get it", () => {
    const other = { ...draft, nodeId: 'b', over: undefined }
    const drafts = [draft, other]
    expect(draftsOfNodes(graph, drafts)).toBe(drafts)
    const without = removeElements(graph, new Set(['a']), new Set())
    expect(draftsOfNodes(without, drafts)).toEqual([other])
    expect(liveDrafts(without, drafts)).toEqual([other])
  })

  it('counts as a problem, instead of the problem of the value below it', () => {
    const elsewhere = [
      problemWith({ node_id: 'a', field: 'config.model' }),
      problemWith({ node_id: 'b', field: draft.path }),
    ]
    expect(withDraftProblems([draft], [problemWith({ node_id: 'a', field: draft.path }), ...elsewhere])).toEqual([
      problemWith({ node_id: 'a', field: draft.path, message: 'This isn’t valid JSON.' }),
      ...elsewhere,
    ])
  })
})
