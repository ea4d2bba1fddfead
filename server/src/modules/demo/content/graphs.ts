/** The company's workflows, drawn from left to right. */
import type { Graph, GraphEdge, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'

const node = (
  id: string,
  name: string,
  type: NodeType,
  at: readonly [column: number, row: number],
  config: GraphNode['config'],
): GraphNode => ({ id, name, type, position: { x: at[0] * 280, y: at[1] * 140 }, config })

const edge = (source: string, target: string, handle?: string): GraphEdge => ({
  id: [source, handle, target].filter(Boolean).join('-'),
  source,
  target,
  ...(handle !== undefined && { source_handle: handle }),
})

export const invoiceApproval = (approvers: readonly string[]): Graph => ({
  nodes: [
    node('read', 'Read the invoice', 'code', [0, 1], {
      language: 'javascript',
      code: `const rates = { EUR: 1, USD: 0.92, NOK: 0.086 }
const invoice = event ? event.payload : input
const rate = rates[invoice.currency]
if (rate === undefined) throw new Error(\`There is no exchange rate for \${invoice.currency}.\`)
console.log(\`Invoice \${invoice.number} of \${invoice.supplier}\`)
const eur = Math.round(invoice.amount * rate)
return { ...invoice, eur, amount_text: \`\${String(eur).replace(/\\B(?=(\\d{3})+$)/g, ',')} €\` }`,
    }),
    node('large', 'Above 2,500 €?', 'condition', [1, 1], { expression: 'state["read"]["eur"] > 2500' }),
    node('consent', 'Ask Finance', 'approval', [2, 0], {
      title: 'Pay {{ read.amount_text }} to {{ read.supplier }}?',
      message: 'Invoice {{ read.number }}, due on {{ read.due }}.',
      approvers: [...approvers],
    }),
    node('book', 'Book it', 'transform', [3, 1], {
      fields: { account: '"4400"', amount: 'state["read"]["eur"]', supplier: 'state["read"]["supplier"]' },
    }),
    node('refuse', 'Send it back', 'transform', [3, -1], { fields: { refused: 'state["read"]["number"]' } }),
  ],
  edges: [
    edge('read', 'large'),
    edge('large', 'consent', 'true'),
    edge('large', 'book', 'false'),
    edge('consent', 'book', 'approved'),
    edge('consent', 'refuse', 'rejected'),
    edge('consent', 'refuse', 'expired'),
  ],
  settings: { deadline_sec: 86_400 },
})

export const stockCheck: Graph = {
  nodes: [
    node('count', 'Count the bags', 'code', [0, 0], {
      language: 'javascript',
      code: `const lots = [['Caturra washed', 84], ['Bourbon natural', 61], ['Decaf Sumatra', 27]]
const night = input?.night ?? 0
return { lots: lots.map(([lot, bags], index) => ({ lot, bags: Math.max(4, bags - ((night * (index + 3)) % 58)) })) }`,
    }),
    node('low', 'Which are low', 'code', [1, 0], {
      language: 'javascript',
      code: `return { low: state.count.lots.filter(({ bags }) => bags < 20) }`,
    }),
    node('any', 'Any?', 'condition', [2, 0], { expression: 'len(state["low"]["low"]) > 0' }),
    node('order', 'Draft an order', 'transform', [3, -0.5], { fields: { lots: 'state["low"]["low"]', bags: '40' } }),
    node('fine', 'All fine', 'transform', [3, 0.5], { fields: { fine: 'True' } }),
  ],
  edges: [edge('count', 'low'), edge('low', 'any'), edge('any', 'order', 'true'), edge('any', 'fine', 'false')],
  settings: {},
}

export const supplierOnboarding = (templateId: string, buyer: { name: string; email: string }): Graph => ({
  nodes: [
    node('sign', 'Confidentiality agreement', 'signature', [0, 0], {
      template_id: templateId,
      title: 'Confidentiality agreement – {{ input.company }}',
      recipients: [
        { role: 'Marlow', name: buyer.name, email: buyer.email },
        { role: 'Other side', name: '{{ input.contact }}', email: '{{ input.email }}' },
      ],
      folder: 'Suppliers',
      expires_sec: 1_209_600,
    }),
    node('welcome', 'Open an account', 'transform', [1, -0.5], { fields: { account: 'input["company"]' } }),
    node('stop', 'Note why not', 'transform', [1, 0.5], { fields: { lost: 'input["company"]' } }),
  ],
  edges: [
    edge('sign', 'welcome', 'completed'),
    edge('sign', 'stop', 'declined'),
    edge('sign', 'stop', 'expired'),
    edge('sign', 'stop', 'cancelled'),
  ],
  settings: {},
})

export const customerReplies = (model: string): Graph => ({
  nodes: [
    node('answer', 'Draft an answer', 'agent', [0, 0], {
      model,
      system_prompt: 'You answer customers of a coffee roastery: friendly, short, never more than is certain.',
      prompt: '{{ event.payload.text }}',
    }),
    node('look', 'Somebody reads it', 'approval', [1, 0], { title: 'Send this answer?', message: '{{ answer.text }}' }),
    node('send', 'Send it', 'emit_event', [2, 0], {
      event_type: 'reply_ready',
      payload: { text: '{{ answer.text }}' },
    }),
  ],
  edges: [edge('answer', 'look'), edge('look', 'send', 'approved')],
  settings: {},
})
