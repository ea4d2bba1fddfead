import { describe, expect, it } from 'vitest'
import { completionsAt, type Notation } from './complete.ts'
import { filterValues, knownValues, waitValues } from './known-values.ts'

const payload = { amount: 12, customer: { name: 'Ana', 'e-mail': 'a@x' }, items: [{ sku: 'A1' }] }
const known = { payload, event: { type: 'order', payload }, input: { total: 3 }, state: { fetch: { status: 200 } } }
const offered = (marked: string, notation: Notation) => {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  return completionsAt(text, caret, { notation, known }).map((one) => text.slice(0, one.from) + one.text)
}

describe('completion', () => {
  it.each([
    ['pay|', ['payload']],
    ['1 < ev|', ['1 < event']],
    ['payload["am|', ['payload["amount"]']],
    ['payload[|', ['payload["amount"]', 'payload["customer"]', 'payload["items"]']],
    ['len(payload["customer"]|', ['len(payload["customer"]["name"]', 'len(payload["customer"]["e-mail"]']],
    ['payload["items"]|', ['payload["items"][0]']],
    ["payload['customer']['na|", ['payload["customer"]["name"]']],
    ['state["f|', ['state["fetch"]']],
    ['state["fetch"]["|', ['state["fetch"]["status"]']],
    ['"some pay|', []],
    ['x.pay|', []],
    ['fetch|', []],
    ['payload["nothing"]["|', []],
    ['|', []],
  ])('of the expression %s', (marked, expected) => expect(offered(marked, 'expression')).toEqual(expected))

  it.each([
    ['Dear {{ pay|', ['Dear {{ payload']],
    ['{{payload.cus|', ['{{payload.customer']],
    ['{{ payload.customer.|', ['{{ payload.customer.name', '{{ payload.customer.e-mail']],
    ['{{ payload.items[0].|', ['{{ payload.items[0].sku']],
    ['{{ fe|', ['{{ fetch']],
    ['{{ payload.amount }} pay|', []],
    ['pay|', []],
    ['{{ len(pay|', []],
  ])('of the template %s', (marked, expected) => expect(offered(marked, 'template')).toEqual(expected))

  it('shows a sample of the value', () => {
    expect(completionsAt('payload["a', 10, { notation: 'expression', known })).toMatchObject([{ detail: '12' }])
    expect(completionsAt('payload["c', 10, { notation: 'expression', known })).toMatchObject([
      { detail: 'name, e-mail' },
    ])
  })

  it('knows the newest event and what earlier nodes return', () => {
    const node = (id: string, type: 'transform' | 'http_request' | 'condition', config: object) => ({
      id,
      type,
      name: id,
      position: { x: 0, y: 0 },
      config: { ...config },
    })
    const graph = {
      nodes: [
        node('total', 'transform', { fields: { net: '1', tax: '2' } }),
        node('call', 'http_request', { url: 'https://x' }),
        node('ask', 'condition', {}),
        node('later', 'transform', { fields: { never: '1' } }),
      ],
      edges: [
        { id: '1', source: 'total', target: 'call' },
        { id: '2', source: 'call', target: 'ask' },
        { id: '3', source: 'ask', target: 'later' },
      ],
    }
    const event = {
      event_id: 'e',
      event_type: 'order',
      source: 's',
      correlation_id: 'c',
      user_id: null,
      payload: { n: 1 },
      published_at: 0,
      seq: 1,
      causation_run_id: null,
    }
    const values = knownValues(graph, 'ask', { events: [event], outputs: {} })
    expect(Object.keys(values.state)).toEqual(['total', 'call'])
    expect(Object.keys(values.input as object)).toEqual(['status', 'headers', 'body'])
    expect(values.payload).toEqual({ n: 1 })
    expect(knownValues(graph, 'total', { events: [event], outputs: {} }).input).toMatchObject({ type: 'order' })
    expect(knownValues(graph, 'total', { events: [], outputs: {} })).toMatchObject({
      payload: undefined,
      state: {},
    })
    // Results of a past run are known as well, also of nodes whose settings don't say.
    const outputs = { call: { status: 200, body: { rate: 3 } }, total: { net: 5 }, later: { no: 1 } }
    const seen = knownValues(graph, 'ask', { events: [event], outputs })
    expect(seen.input).toEqual({ status: 200, headers: undefined, body: { rate: 3 } })
    expect(seen.state).toEqual({ total: { net: 5, tax: undefined }, call: seen.input })
    // A condition has no result of its own.
    expect(knownValues(graph, 'later', { events: [event], outputs: { ...outputs, ask: { handle: 'true' } } })).toEqual({
      payload: seen.payload,
      event: seen.event,
      input: seen.input,
      state: { ...seen.state, ask: { handle: 'true' } },
    })
    expect(completionsAt('state["call"]["body"]["r', 24, { notation: 'expression', known: seen })).toMatchObject([
      { text: 'state["call"]["body"]["rate"]', detail: '3' },
    ])

    const rare = { ...event, payload: { n: 0, customer: { vat: 'DE1' } } }
    const filter = filterValues([event, rare])
    expect(filter.payload).toEqual({ n: 1, customer: { vat: 'DE1' } })
    expect(filter.input).toBe(filter.event)
    const paid = { ...event, event_type: 'paid', payload: { order: 7 } }
    const waiting = waitValues([paid], seen)
    expect(waiting).toMatchObject({ payload: { order: 7 }, event: { type: 'paid' }, input: seen.input })
    expect(waiting.state).toEqual({ ...seen.state, _event: seen.event })
    expect(filterValues([])).toMatchObject({ payload: undefined, event: undefined })
  })
})
