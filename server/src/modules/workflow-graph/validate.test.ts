import { type Graph, type GraphNode, type NodeType, nodeTypes } from '@chancery/contract/workflows/graph.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chain, edge, node } from '#test/harness/workflows.ts'
import { validateGraph } from './validate.ts'
import { validateConfig } from './validate-config.ts'
import { handlesOf } from './validate-edges.ts'

const own = '0198c0de-0000-7000-8000-000000000001'
const other = '0198c0de-0000-7000-8000-000000000002'

/** `node field`, `edge id field`, or what is wrong with the whole. */
const problemsOf = (graph: Graph): string[] =>
  validateGraph(graph, own).map(({ node_id, edge_id, field, message }) =>
    [node_id, edge_id, field].some((one) => one !== null)
      ? [node_id, edge_id, field].filter((one) => one !== null).join(' ')
      : message,
  )
const alone = (type: NodeType, config: GraphNode['config']) =>
  problemsOf({ nodes: [node('n', config, type)], edges: [] })

describe('the configuration of a node', () => {
  const right: Record<NodeType, GraphNode['config'][]> = {
    agent: [{ model: 'm' }, { model: 'm', prompt: 'Dear {{ _event.payload["first name"] }}', tools: ['emit_event'] }],
    tool: [{ tool: 't', arguments: { deep: [{ text: '{{ input.b[0].c }}' }] } }],
    condition: [{ expression: 'state["a"] > 1 and input' }, { cases: [{ handle: 'big', expression: 'input > 9' }] }],
    transform: [{ fields: { total: 'sum(state["items"])', from: 'event["source"]' } }],
    http_request: [
      { url: 'https://a.example/{{ input.id }}', headers: { accept: '{{ n.x }}' } },
      { url: '{{ input.url }}' },
    ],
    emit_event: [{ event_type: 'done', payload: { id: '{{ input }}' }, correlation_id: '{{ _event.correlation_id }}' }],
    wait: [
      { seconds: 5 },
      { until: '{{ input.due }}' },
      { event_type: 'paid', filter_expr: 'payload["ok"]', deadline_sec: 9 },
    ],
    approval: [{ title: 'Pay {{ input.amount }}?', approvers: [other] }],
    for_each: [{ items: 'state["list"]', workflow_id: other }],
    subworkflow: [{ workflow_id: other, input: { id: '{{ input }}' } }],
    signature: [
      {
        template_id: other,
        title: 'Order {{ input.id }}',
        recipients: [{ role: 'Customer', name: '{{ input.name }}', email: '{{ input.email }}' }],
        values: { Amount: '{{ input.amount }}' },
        folder: 'Contracts',
        expires_sec: 86_400,
      },
    ],
    code: [
      { code: 'const { a = 1 } = input ?? {}\nfor await (const b of [a]) console.log(b as number)\nreturn a' },
      { language: 'expression', code: 'input["a"]' },
    ],
    merge: [],
    loop: [
      { workflow_id: other },
      { workflow_id: other, stop_when: 'output["done"] and iteration > 2', max_iterations: 9 },
    ],
  }
  it.each(nodeTypes)('of %s may be as the contract says', (type) => {
    for (const config of right[type]) expect(alone(type, config)).toEqual([])
    for (const config of right[type])
      expect(alone(type, { ...config, retry: { max_attempts: 3 }, timeout_sec: 5, on_error: 'continue' })).toEqual([])
  })

  const wrong: [NodeType, GraphNode['config'], string[]][] = [
    ['agent', {}, ['n config.model']],
    ['agent', { model: 'm', colour: 'red', size: 1 }, ['n config.colour', 'n config.size']],
    ['agent', { model: 'm', prompt: 'a {{ b', system_prompt: '{{ }}' }, ['n config.system_prompt', 'n config.prompt']],
    ['agent', { model: 'm', tools: ['a', 7], temperature: 3 }, ['n config.tools[1]', 'n config.temperature']],
    ['tool', { tool: 't', arguments: { a: [{ b: '{{ 1 + 1 }}' }] } }, ['n config.arguments.a[0].b']],
    ['condition', {}, ['n config.expression']],
    ['condition', { expression: 'True', cases: [{ handle: 'a', expression: 'True' }] }, ['n config.expression']],
    ['condition', { expression: 'order' }, ['n config.expression']],
    ['condition', { cases: [{ handle: 'a', expression: 'import os' }] }, ['n config.cases[0].expression']],
    [
      'condition',
      { cases: ['a', 'a', 'else'].map((handle) => ({ handle, expression: 'True' })) },
      ['n config.cases[1].handle', 'n config.cases[2].handle'],
    ],
    ['transform', { fields: { good: '1', bad: '1 +' } }, ['n config.fields.bad']],
    ['http_request', { url: 'ftp://a.example' }, ['n config.url']],
    ['http_request', { url: 'https://user:word@a.example/' }, ['n config.url']],
    ['http_request', { url: 'https://a.example', body: { x: '{{' } }, ['n config.body.x']],
    ['http_request', { url: 'https://a.example', headers: { Host: 'b', 'X-A': '1' } }, ['n config.headers.Host']],
    ['emit_event', { event_type: 'Not Snake' }, ['n config.event_type']],
    ['wait', {}, ['n config.seconds']],
    ['wait', { seconds: 1, event_type: 'x' }, ['n config.seconds']],
    ['wait', { seconds: 1, filter_expr: 'True', deadline_sec: 1 }, ['n config.filter_expr', 'n config.deadline_sec']],
    ['wait', { event_type: 'x', filter_expr: 'order' }, ['n config.filter_expr']],
    ['approval', { title: 'Pay {{ invoice.total }}?', message: '{{ input }}' }, ['n config.title']],
    ['tool', { tool: 't', arguments: { a: ['{{ gone.b }}', '{{ n }}'] } }, ['n config.arguments.a[0]']],
    ['approval', { title: 'x', approvers: ['nobody'] }, ['n config.approvers[0]']],
    ['for_each', { items: 'state', workflow_id: own }, ['n config.workflow_id']],
    ['subworkflow', { workflow_id: own }, ['n config.workflow_id']],
    ['signature', { template_id: '', recipients: [] }, ['n config.template_id']],
    [
      'signature',
      { template_id: other, recipients: [{ role: 'A', name: '{{ gone }}', email: '' }] },
      ['n config.recipients[0].email'],
    ],
    [
      'signature',
      { template_id: other, recipients: [], values: { Amount: '{{ gone.x }}' } },
      ['n config.values.Amount'],
    ],
    ['loop', { workflow_id: own, stop_when: 'iterations' }, ['n config.stop_when', 'n config.workflow_id']],
    ['loop', { workflow_id: other, max_iterations: 1001 }, ['n config.max_iterations']],
    ['code', { code: '' }, ['n config.code']],
    ['code', { code: 'return {' }, ['n config.code']],
    ['code', { code: 'return 1', language: 'expression' }, ['n config.code']],
    ['subworkflow', {}, ['n config.workflow_id']],
    ['subworkflow', { workflow_id: other.toUpperCase() }, ['n config.workflow_id']],
  ]
  it.each(wrong)('of %s with %j gets a problem at the wrong field', (type, config, expected) => {
    expect(alone(type, config)).toEqual(expected)
  })

  it('says in words what a draft lacks', () => {
    const said = (type: NodeType, config: GraphNode['config']) =>
      validateGraph({ nodes: [node('n', config, type)], edges: [] }).map(({ message }) => message)
    expect(said('agent', {})).toEqual(['is missing'])
    expect(said('agent', { model: '' })).toEqual(['must not be empty'])
    expect(said('condition', { cases: [{ handle: 'big' }] })).toEqual(['is missing'])
  })

  it.each<[NodeType, GraphNode['config'], string]>([
    ['condition', { expression: 'first["total"] > 1' }, '"first" isn\'t known here. Use state["first"].'],
    ['condition', { expression: 'order' }, '"order" isn\'t known here. Use state, input, event or payload.'],
    ['condition', { expression: 'payload.order.id' }, 'Fields are read with brackets: payload["order"]["id"].'],
    ['transform', { fields: { x: 'null' } }, '"null" isn\'t known here. Use None.'],
    ['wait', { event_type: 'x', filter_expr: 'first["a"]' }, '"first" isn\'t known here. Use state["first"].'],
    ['wait', { event_type: 'x', filter_expr: '_event' }, '"_event" isn\'t known here. Use state["_event"].'],
    [
      'approval',
      { title: '{{ order }}' },
      '"order" isn\'t known here. Use payload, event, input, state or the ID of a node.',
    ],
  ])('of %s with %j gets a problem that names what works', (type, config, message) => {
    const graph = { nodes: [node('first'), node('second', config, type)], edges: [edge('first', 'second')] }
    expect(validateGraph(graph).map((problem) => problem.message)).toEqual([expect.stringContaining(message)])
  })

  it('reads the event by the same names in expressions and templates', () => {
    for (const name of ['payload', 'event', 'input', 'state', '_event']) {
      expect(alone('condition', { expression: name }), name).toEqual([])
      expect(alone('approval', { title: `{{ ${name} }}` }), name).toEqual([])
      if (name !== '_event') expect(alone('wait', { event_type: 'x', filter_expr: name }), name).toEqual([])
    }
  })

  it('says in which line and column an expression is wrong', () => {
    const [problem] = validateGraph({ nodes: [node('n', { expression: '1 +\n* 2' }, 'condition')], edges: [] })
    expect(problem?.message).toMatch(/line \d+, column \d+/)
  })
})

describe('the shape of a graph', () => {
  it('needs a node', () => expect(problemsOf({ nodes: [], edges: [] })).toEqual(['nodes']))

  it('needs different ids', () => {
    const graph = { ...chain('a', 'b'), nodes: [...chain('a', 'b').nodes, node('a')] }
    expect(problemsOf(graph)).toEqual(['a id'])
    expect(problemsOf({ ...chain('a', 'b', 'c'), edges: [edge('a', 'b'), { ...edge('b', 'c'), id: 'a-b' }] })).toEqual([
      'a-b id',
    ])
  })

  it('joins nodes that exist, once, by ways out that these have', () => {
    const nodes = [
      node('a'),
      node('b'),
      node('if', { expression: 'True' }, 'condition'),
      node('ask', { title: 'x' }, 'approval'),
      node('c', { on_error: 'continue' }),
      node('many', { cases: [{ handle: 'big', expression: 'True' }] }, 'condition'),
    ]
    const problemsWith = (...edges: Graph['edges']) => problemsOf({ nodes, edges })
    expect(problemsWith(edge('a', 'gone'), edge('lost', 'b'))).toEqual(['a-gone target', 'lost-b source'])
    expect(problemsWith(edge('a', 'b', 'true'), edge('if', 'b'), edge('ask', 'b', 'maybe'))).toEqual([
      'a-btrue source_handle',
      'if-b source_handle',
      'ask-bmaybe source_handle',
    ])
    expect(problemsWith(edge('a', 'b', 'error'), edge('c', 'b', 'error'))).toEqual(['a-berror source_handle'])
    expect(problemsWith(edge('many', 'b', 'big'), edge('many', 'b', 'else'), edge('many', 'b', 'true'))).toEqual([
      'many-btrue source_handle',
    ])
    expect(problemsWith(edge('a', 'b'), { ...edge('a', 'b'), id: 'again' })).toEqual(['again source'])
    expect(problemsWith({ ...edge('a', 'b'), target_handle: 'loop' })).toEqual(['a-b target_handle'])
    expect(
      problemsWith(edge('ask', 'a', 'expired'), edge('if', 'a', 'false'), { ...edge('a', 'b'), source_handle: '' }),
    ).toEqual([])
  })

  it('never loops, and the problem names the nodes of the loop', () => {
    const looped: Graph = { ...chain('a', 'b', 'c', 'd'), edges: [...chain('a', 'b', 'c', 'd').edges, edge('c', 'b')] }
    expect(validateGraph(looped).map(({ node_id, message }) => [node_id, message])).toEqual([
      ['b', 'This node is part of a loop.'],
      ['c', 'This node is part of a loop.'],
    ])
    expect(problemsOf({ nodes: [node('a'), node('b')], edges: [edge('b', 'b')] })).toEqual(['b'])
  })

  it('has a start, and no node that cannot be reached from one', () => {
    const cycle: Graph = {
      nodes: ['a', 'b', 'after'].map((id) => node(id)),
      edges: [edge('a', 'b'), edge('b', 'a'), edge('b', 'after')],
    }
    expect(problemsOf(cycle)).toEqual([
      'The graph has no start node: every node has an incoming edge.',
      'a',
      'b',
      'after',
    ])
  })

  it('merges at least two branches', () => {
    const nodes = [node('a'), node('b'), node('m', { mode: 'any' }, 'merge')]
    expect(problemsOf({ nodes, edges: [edge('a', 'm'), edge('b', 'm')] })).toEqual([])
    expect(problemsOf({ nodes, edges: [edge('a', 'm')] })).toEqual(['m'])
  })

  it('may branch, join and have several start nodes', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => node(id))
    expect(
      problemsOf({ nodes, edges: [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd'), edge('e', 'd')] }),
    ).toEqual([])
  })
})

describe('validation of any graph', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `n${index}`)
  const pair = fc.tuple(fc.nat(11), fc.nat(11))
  const joined = (pairs: readonly [number, number][]): Graph => ({
    nodes: ids.map((id) => node(id)),
    edges: [...new Map(pairs.map(([from, to]) => [`n${from}-n${to}`, edge(`n${from}`, `n${to}`)])).values()],
  })
  /** By trying every way: what a slow and simple reader would say. */
  const reaches = ({ edges }: Graph, from: string, to: string): boolean => {
    const seen = new Set<string>()
    const open = [from]
    for (let id = open.pop(); id !== undefined; id = open.pop())
      for (const { source, target } of edges)
        if (source === id && !seen.has(target)) {
          seen.add(target)
          open.push(target)
        }
    return seen.has(to)
  }

  it('finds nothing wrong with edges that only lead onwards', () => {
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const onwards = pairs.filter(([from, to]) => from < to)
        expect(validateGraph(joined(onwards))).toEqual([])
      }),
    )
  })

  it('names exactly the nodes that lead back to themselves', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 20 }), (pairs) => {
        const graph = joined(pairs)
        const named = validateGraph(graph).filter(({ message }) => message === 'This node is part of a loop.')
        expect(named.map(({ node_id }) => node_id)).toEqual(ids.filter((id) => reaches(graph, id, id)))
      }),
      { numRuns: 300 },
    )
  })

  it('never throws, and names nodes, edges and fields that are there', () => {
    const anyNode = fc.record({
      id: fc.constantFrom(...ids, 'constructor', 'toString'),
      type: fc.constantFrom(...nodeTypes),
      name: fc.string(),
      position: fc.constant({ x: 0, y: 0 }),
      config: fc.dictionary(
        fc.constantFrom(
          'model',
          'cases',
          'expression',
          'fields',
          'url',
          'headers',
          'items',
          'on_error',
          'prompt',
          'constructor',
        ),
        fc.oneof(
          fc.jsonValue({ maxDepth: 2 }),
          fc.constantFrom('continue', '{{ a }}', '{{', 'state["x"]', 'https://a.example'),
        ),
      ),
    })
    const anyEdge = fc.record({
      id: fc.constantFrom('e1', 'e2', 'e3'),
      source: fc.constantFrom(...ids),
      target: fc.constantFrom(...ids),
      source_handle: fc.constantFrom(null, undefined, '', 'true', 'error', 'else', 'constructor'),
      target_handle: fc.constantFrom(null, undefined, 'loop'),
    })
    const anyGraph = fc.record({
      nodes: fc.array(anyNode, { maxLength: 8 }),
      edges: fc.array(anyEdge, { maxLength: 8 }),
    })
    fc.assert(
      fc.property(anyGraph, (graph) => {
        for (const { node_id, edge_id, field, message } of validateGraph(graph, own)) {
          if (node_id !== null) expect(graph.nodes.some(({ id }) => id === node_id)).toBe(true)
          if (edge_id !== null) expect(graph.edges.some(({ id }) => id === edge_id)).toBe(true)
          if (node_id !== null && field !== null) expect(field).toMatch(/^(id|config)/)
          expect(message).not.toBe('')
        }
        for (const one of graph.nodes) expect(handlesOf(one).length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('is quick with the largest graphs', () => {
    const many = Array.from({ length: 1000 }, (_, index) => node(`n${index}`))
    const edges = Array.from({ length: 5000 }, (_, index) =>
      edge(`n${index % 1000}`, `n${(index * 7 + 1) % 1000}`, undefined),
    )
    expect(
      validateGraph({ nodes: many, edges: edges.map((one, index) => ({ ...one, id: `e${index}` })) }),
    ).toHaveLength(200)
  })
})

it.each(['payload', 'event', 'input', 'state', '_event'])(
  'a node called %s is a problem, since templates have the name for something else',
  (id) => {
    expect(problemsOf({ nodes: [node(id)], edges: [] })).toEqual([`${id} id`])
  },
)

describe('a wait that outlasts the deadline of its run', () => {
  const nodes = [
    node('short', { seconds: 60 }, 'wait'),
    node('long', { seconds: 61 }, 'wait'),
    node('paid', { event_type: 'paid', deadline_sec: 61 }, 'wait'),
    node('ask', { title: 'Pay?', deadline_sec: 61 }, 'approval'),
  ]
  const edges = [edge('short', 'long'), edge('long', 'paid'), edge('paid', 'ask')]

  it('is a problem where waiting counts, and none where it does not', () => {
    expect(problemsOf({ nodes, edges, settings: { deadline_sec: 60, deadline_counts_waiting: true } })).toEqual([
      'long config.seconds',
      'paid config.deadline_sec',
      'ask config.deadline_sec',
    ])
    expect(problemsOf({ nodes, edges, settings: { deadline_sec: 60 } })).toEqual([])
  })
})

it('parses code for a short time only, however long that of all nodes would take, and stops at the first error', () => {
  const slow = Array.from({ length: 200 }, (_, index) => node(`n${index}`, { code: 'a<b>('.repeat(1000) }, 'code'))
  const wrong = node('first', { code: 'return 1\nreturn }' }, 'code')
  const [found] = validateGraph({ nodes: [wrong, ...slow], edges: [] }, own)
  expect(found).toMatchObject({ node_id: 'first', message: "isn't valid JavaScript (line 2)" })
})

it('compiles wrong expressions for a short time only, and says which it did not check', () => {
  const wrong = Array.from({ length: 2000 }, (_, index) => [`f${index}`, `${')'.repeat(1990)}${index}`])
  const problems = validateGraph(
    { nodes: [node('n', { fields: Object.fromEntries(wrong) }, 'transform')], edges: [] },
    own,
  )
  expect(problems[0]?.message).toBe('This is not an expression. (line 1, column 1)')
  expect(problems).toHaveLength(200)
  const over = { workflowId: own, names: new Set<string>(), parsing: { leftMs: 0 }, mistakes: { leftMs: 0 } }
  const [unchecked] = validateConfig(node('n', { fields: { a: ') (' } }, 'transform'), over)
  expect(unchecked?.message).toBe('was not checked: correct the other expressions first')
})
