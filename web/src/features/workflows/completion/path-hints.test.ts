import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { pathHints } from './path-hints.ts'

const payload = { amount: 12, customer: { name: 'Ana', email: 'a@x' }, items: [{ sku: 'A1' }], note: null }
const event = {
  event_id: 'e',
  event_type: 'order',
  source: 's',
  correlation_id: 'c',
  user_id: null,
  payload,
  published_at: 0,
  seq: 1,
  causation_run_id: null,
}
const node = (id: string, type: GraphNode['type'], config: object): GraphNode => ({
  id,
  type,
  name: `Node ${id}`,
  position: { x: 0, y: 0 },
  config: { ...config },
})
const graphWith = (last: GraphNode): Graph => ({
  nodes: [
    node('total', 'transform', { fields: { net: '1', tax: '2' } }),
    node('call', 'http_request', { url: 'https://x', on_error: 'continue' }),
    node('big', 'condition', { expression: 'input["status"] == 200' }),
    last,
    node('later', 'transform', { fields: { x: '1' } }),
  ],
  edges: ['total>call', 'call>big', 'big>last', 'last>later'].map((id) => {
    const [source = '', target = ''] = id.split('>')
    return { id, source, target }
  }),
})
const samples = { events: [event], outputs: { call: { status: 200, body: { rate: 3 } } }, startsOtherwise: false }
const hintsFor = (type: GraphNode['type'], config: object) =>
  pathHints(graphWith(node('last', type, config)), samples).map(({ message }) => message)

describe('a path that leads nowhere', () => {
  it.each([
    ['{{ payload.amont }}', 'Recent events have no payload.amont. Did you mean payload.amount?'],
    ['{{ payload.name }}', 'Recent events have no payload.name. Did you mean payload.customer.name?'],
    [
      '{{ payload.customer.mail }}',
      'Recent events have no payload.customer.mail. Did you mean payload.customer.email?',
    ],
    ['{{ payload.items.sku }}', 'Recent events have no payload.items.sku. Did you mean payload.items[0].sku?'],
    ['{{ event.paylod.amount }}', 'Recent events have no event.paylod. Did you mean event.payload.amount?'],
    ['{{ payload.amount.value }}', 'Recent events have no payload.amount.value.'],
    ['{{ total.Net }}', 'Recent runs and the settings show no total.Net. Did you mean total.net?'],
    ['{{ input.body.rates }}', 'Recent runs and the settings show no input.body.rates. Did you mean input.body.rate?'],
    ['{{ later.x }}', '“Node later” doesn’t run before this node, so its result isn’t known here.'],
  ])('in the template %s has a hint that names what works', (text, message) => {
    expect(hintsFor('approval', { title: `Look: ${text}`, message: '' })).toEqual([message])
  })

  it.each([
    ['payload["amont"] > 1', 'Recent events have no payload["amont"]. Did you mean payload["amount"]?'],
    [
      'state["total"]["Tax"]',
      'Recent runs and the settings show no state["total"]["Tax"]. Did you mean state["total"]["tax"]?',
    ],
    [
      'state["node TOTAL"]["net"]',
      'Recent runs and the settings show no state["node TOTAL"]. Did you mean state["total"]["net"]?',
    ],
    ["state['later']['x']", '“Node later” doesn’t run before this node, so its result isn’t known here.'],
  ])('in the expression %s too', (text, message) => {
    expect(hintsFor('transform', { fields: { a: text } })).toEqual([message])
  })

  it('is at its field, once', () => {
    const last = node('last', 'http_request', { url: 'https://x', body: { a: ['{{ payload.x1 }} {{ payload.x1 }}'] } })
    expect(pathHints(graphWith(last), samples)).toMatchObject([{ node_id: 'last', field: 'config.body.a[0]' }])
  })
})

it.each([
  '{{ payload.items[3].sku }}',
  '{{ payload.note.deep }}',
  '{{ call.headers.any }}',
  '{{ call.error }}',
  '{{ unknown.name }}',
  '{{ state.input.any }}',
  '{{ _event.payload.amount }}',
  '{{ input.status }}',
  'payload.no',
])('%s has no hint: it leads somewhere, or nobody knows', (text) => {
  expect(hintsFor('approval', { title: text, message: '' })).toEqual([])
})

it.each([
  '"vip" in payload and payload["vip"]',
  'payload.get("vip")',
  '"payload[\\"x\\"]"',
  'payload["customer"]["name"][0]',
])('the expression %s has no hint', (text) => {
  expect(hintsFor('condition', { expression: text })).toEqual([])
})

it('of a wait’s filter only the run is known, and of other triggers the first input isn’t', () => {
  expect(hintsFor('wait', { event_type: 'paid', filter_expr: 'payload["x"] == input["x"]' })).toEqual([
    'Recent runs and the settings show no input["x"].',
  ])
  const alone = { nodes: [node('a', 'approval', { title: '{{ input.due }}', message: '' })], edges: [] }
  expect(pathHints(alone, samples)).toHaveLength(1)
  expect(pathHints(alone, { ...samples, startsOtherwise: true })).toEqual([])
  expect(pathHints(alone, { ...samples, events: [] })).toEqual([])
})

it('a graph with more paths than anybody could follow has its hints, and so has one with a circle', () => {
  const stages = Array.from({ length: 40 }, (_, at) => `m${at}`)
  const ask = node('ask', 'approval', { title: '{{ input.c39b.c38a.m0 }}', message: '' })
  const nodes = stages.flatMap((id, at) => [
    node(id, 'merge', { mode: 'all' }),
    node(`c${at}a`, 'condition', { expression: 'True' }),
    node(`c${at}b`, 'wait', { seconds: 1 }),
  ])
  const edge = (source: string, target: string) => ({ id: `${source}>${target}`, source, target })
  const edges = stages.flatMap((id, at) =>
    [`c${at}a`, `c${at}b`].flatMap((one) => [edge(id, one), edge(one, stages[at + 1] ?? 'last')]),
  )
  const graph = {
    nodes: [...nodes, node('last', 'merge', { mode: 'all' }), ask],
    edges: [...edges, edge('last', 'ask')],
  }
  const message = 'Recent runs and the settings show no input.c39b.c38a.m0.'
  expect(pathHints(graph, samples)).toMatchObject([{ node_id: 'ask', message }])
  const circle = { ...graph, edges: [...graph.edges, edge('last', 'm0')] }
  expect(pathHints(circle, samples)).toMatchObject([{ node_id: 'ask', message }])
})
