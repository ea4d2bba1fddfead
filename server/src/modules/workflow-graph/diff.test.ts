import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, hashGraph } from './canonical.ts'
import { diffGraphs } from './diff.ts'
import { diffLines, newLineWork } from './line-diff.ts'
import { redactNode, restoreSecrets, stripSecrets } from './secrets.ts'

const node = (id: string, config: Record<string, unknown> = {}, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  type: 'agent',
  name: `Node ${id}`,
  position: { x: 0, y: 0 },
  config,
  ...more,
})
const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
})
const graph = (nodes: GraphNode[], edges: Graph['edges'] = [], settings = {}): Graph => ({ nodes, edges, settings })

describe('the difference of two graphs', () => {
  it('names what was added, removed, changed and left alone', () => {
    const before = graph([node('a', { model: 'm' }), node('b'), node('c')], [edge('a', 'b'), edge('b', 'c')])
    const after = graph([node('a', { model: 'n' }), node('b'), node('d')], [edge('a', 'b'), edge('b', 'd')])
    const diff = diffGraphs(before, after)
    expect(diff.nodes).toEqual({
      added: [{ id: 'd', name: 'Node d', type: 'agent' }],
      removed: [{ id: 'c', name: 'Node c', type: 'agent' }],
      changed: [{ id: 'a', name: 'Node a', fields: [{ path: 'config.model', before: 'm', after: 'n' }] }],
      unchanged: ['b'],
    })
    expect(diff.edges).toEqual({
      added: [{ id: 'b-d', source: 'b', target: 'd' }],
      removed: [{ id: 'b-c', source: 'b', target: 'c' }],
      unchanged: ['a-b'],
    })
    expect(diff.summary).toEqual({
      added: 2,
      removed: 2,
      changed: 1,
      unchanged: 2,
      text: '1 node added, 1 node removed, 1 node changed, 1 edge added, 1 edge removed',
    })
  })

  it('names what changed without its fields where too many fields did', () => {
    const fields = (value: number) => Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`f${n}`, value]))
    const before = graph([node('a', fields(1)), node('b'), node('c', { x: 1 })])
    const { nodes, summary } = diffGraphs(before, graph([node('a', fields(2)), node('b'), node('c', { x: 2 })]))
    expect(nodes.changed).toEqual([
      { id: 'a', name: 'Node a', fields: [] },
      { id: 'c', name: 'Node c', fields: [] },
    ])
    expect(nodes.unchanged).toEqual(['b'])
    expect(summary).toMatchObject({ changed: 2, text: '2 nodes changed; too large to compare in detail' })
  })

  it('does not count a move, the order of keys or a redrawn edge', () => {
    const before = graph([node('a', { x: 1, y: { p: 1, q: 2 } }), node('b')], [edge('a', 'b')])
    const moved = node('a', { y: { q: 2, p: 1 }, x: 1 }, { position: { x: 90, y: -4 } })
    const after = graph([node('b'), moved], [{ ...edge('a', 'b'), id: 'another', source_handle: null }])
    expect(diffGraphs(before, after).summary).toMatchObject({ added: 0, removed: 0, changed: 0, text: 'no difference' })
  })

  it('tells an edge from another handle apart', () => {
    const ends = graph([node('a'), node('b')], [edge('a', 'b', { source_handle: 'true' })])
    const other = graph([node('a'), node('b')], [edge('a', 'b', { source_handle: 'false' })])
    expect(diffGraphs(ends, other).summary).toMatchObject({ added: 1, removed: 1 })
  })

  it('gives the path of each field, into lists of the same length, and lists that grew as a whole', () => {
    const before = graph([node('a', { tools: ['x', 'y'], list: [1], gone: true })])
    const after = graph([node('a', { tools: ['x', 'z'], list: [1, 2] }, { name: 'Renamed' })])
    expect(diffGraphs(before, after).nodes.changed[0]?.fields).toEqual([
      { path: 'config.gone', before: true, after: null },
      { path: 'config.list', before: [1], after: [1, 2] },
      { path: 'config.tools[1]', before: 'y', after: 'z' },
      { path: 'name', before: 'Node a', after: 'Renamed' },
    ])
  })

  it('looks at no field that every object inherits, and takes a null for nothing', () => {
    const { nodes } = diffGraphs(graph([node('a')]), graph([node('a', { constructor: 'x', toString: null })]))
    expect(nodes.changed[0]?.fields).toEqual([{ path: 'config.constructor', before: null, after: 'x' }])
  })

  it('shows long texts line by line', () => {
    const before = graph([node('a', { prompt: 'one\ntwo\nthree' })])
    const after = graph([node('a', { prompt: 'one\n2\nthree' })])
    expect(diffGraphs(before, after).nodes.changed[0]?.fields[0]?.lines).toEqual([
      { kind: 'same', text: 'one' },
      { kind: 'removed', text: 'two' },
      { kind: 'added', text: '2' },
      { kind: 'same', text: 'three' },
    ])
  })

  it('says that a secret changed without showing either', () => {
    const call = (authorization: string, key: string) =>
      graph([
        node('a', { url: 'u', authorization, headers: { 'X-Api-Key': key, accept: 'x' } }, { type: 'http_request' }),
      ])
    const diff = diffGraphs(call('Bearer old', 'k1'), call('Bearer new', 'k1'))
    expect(diff.nodes.changed[0]?.fields.map(({ path }) => path)).toEqual(['config.authorization'])
    expect(JSON.stringify(diff)).not.toMatch(/Bearer|k1/)
  })

  it('tells settings apart', () => {
    const diff = diffGraphs(graph([], [], { deadline_sec: 5 }), graph([], [], { deadline_sec: 6 }))
    expect(diff.settings.changed).toEqual([{ path: 'deadline_sec', before: 5, after: 6 }])
  })

  const anyConfig = fc.dictionary(
    fc.constantFrom('p', 'q', 'r'),
    fc.oneof(fc.string(), fc.integer(), fc.array(fc.boolean())),
  )
  const anyGraph = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
    .chain((ids) =>
      fc.tuple(...ids.map((id) => anyConfig.map((config) => node(id, config)))).map((nodes) => graph(nodes)),
    )

  it('is empty exactly for equal graphs, and turns round when the sides do', () => {
    fc.assert(
      fc.property(anyGraph, anyGraph, (one, other) => {
        const there = diffGraphs(one, other)
        const back = diffGraphs(other, one)
        expect(diffGraphs(one, one).summary.text).toBe('no difference')
        expect(there.nodes.added.map(({ id }) => id).sort()).toEqual(back.nodes.removed.map(({ id }) => id).sort())
        expect(there.nodes.changed.map(({ id }) => id).sort()).toEqual(back.nodes.changed.map(({ id }) => id).sort())
        const all = there.nodes.added.length + there.nodes.changed.length + there.nodes.unchanged.length
        expect(all).toBe(other.nodes.length)
      }),
    )
  })
})

const lines = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`).join('\n')

it('a comparison of hundreds of rewritten texts spends no more than it may: the rest is shown without lines', () => {
  const turned = lines('x', 200).split('\n').reverse().join('\n')
  const all = (prompt: string) => Array.from({ length: 300 }, (_, id) => node(`${id}`, { prompt }))
  const small = (text: string) => node('small', { prompt: text })
  const before = graph([small('a\nb'), ...all(lines('x', 200))])
  const after = graph([small('a\nc'), ...all(turned)])
  const { changed } = diffGraphs(before, after).nodes
  expect(changed).toHaveLength(301)
  const marked = changed.filter(({ fields }) => fields[0]?.lines !== undefined)
  expect(marked.length).toBeGreaterThan(5)
  expect(marked.length).toBeLessThan(10)
  expect(changed.at(-1)?.fields).toEqual([{ path: 'config.prompt', before: lines('x', 200), after: turned }])
})

it('a text of a million line breaks is shown without lines: each would be an object in the reply', () => {
  const text = '\n'.repeat(1_000_000)
  const diff = diffGraphs(graph([node('a', { prompt: text })]), graph([node('a', { prompt: `${text}x` })]))
  expect(diff.nodes.changed[0]?.fields).toEqual([{ path: 'config.prompt', before: text, after: `${text}x` }])
})

describe('the difference of two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'))
  const compare = (before: string, after: string) => diffLines(before, after, newLineWork()) ?? []
  const side = (kind: 'removed' | 'added', changes: ReturnType<typeof compare>) =>
    changes
      .filter((change) => change.kind === 'same' || change.kind === kind)
      .map((change) => change.text)
      .join('\n')

  it('gives back both texts, whatever they are', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = compare(before, after)
        expect(side('removed', changes)).toBe(before)
        expect(side('added', changes)).toBe(after)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps what is common, as much as there is', () => {
    const kinds = compare('a\nb\nc\nd', 'a\nc\nd\ne').map(({ kind, text: line }) => `${kind} ${line}`)
    expect(kinds).toEqual(['same a', 'removed b', 'same c', 'same d', 'added e'])
  })

  it('shows what was added to a text, however much it is', () => {
    const kinds = compare(lines('x', 10), `${lines('x', 5)}\n${lines('y', 5000)}\nx5\nx9`).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'same')).toHaveLength(7)
    expect(kinds.filter((kind) => kind === 'removed')).toHaveLength(3)
  })

  it('gives up on texts in another order, between the lines that they begin and end with, and gives back both', () => {
    const [before, after] = [lines('x', 1000).split('\n'), lines('x', 1000).split('\n').reverse()]
    const texts = [before, after].map((all) => ['first', ...all, 'last'].join('\n')) as [string, string]
    const changes = compare(...texts)
    expect([side('removed', changes), side('added', changes)]).toEqual(texts)
    expect(changes.filter(({ kind }) => kind === 'same').map(({ text: line }) => line)).toEqual(['first', 'last'])
  })
})

describe('secrets of a node', () => {
  const call = node('a', { authorization: 'Bearer x', headers: { Cookie: 'c', accept: 'y' } }, { type: 'http_request' })

  it('are hidden, come back when sent back hidden, and are absent from files', () => {
    const shown = redactNode(call)
    expect(shown.config).toEqual({ authorization: hiddenSecret, headers: { Cookie: hiddenSecret, accept: 'y' } })
    expect(restoreSecrets(shown, call)).toEqual(call)
    expect(restoreSecrets(shown, undefined).config.authorization).toBeNull()
    expect(stripSecrets(call).config).toEqual({ headers: { accept: 'y' } })
  })
})

describe('the hash of a graph', () => {
  it('does not depend on the order of keys, and does on everything else', () => {
    const one = graph([node('a', { p: 1, q: { r: 2, s: 3 } })])
    const same = graph([node('a', { q: { s: 3, r: 2 }, p: 1 })])
    expect(hashGraph(one)).toBe(hashGraph(same))
    expect(hashGraph(one)).not.toBe(hashGraph(graph([node('a', { p: 1 })])))
    expect(canonicalJson({ b: undefined, a: [undefined] })).toBe('{"a":[null]}')
  })
})
