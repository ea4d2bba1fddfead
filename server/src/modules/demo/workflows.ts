/** Workflows with their triggers, published by a reviewer; one still waits for its review. */
import * as workflows from '@chancery/contract/endpoints/workflows.ts'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import * as graphs from './content/graphs.ts'
import type { Person, Scene } from './context.ts'

export const invoiceEvent = 'invoice_received'

export interface Workflows {
  invoices: string
  stock: string
  stockTrigger: string
  onboarding: string
}

interface Wanted {
  templates: ReadonlyMap<string, string>
  /** The custom model that an agent asks. */
  model: string
}

export const makeWorkflows = async (scene: Scene, { templates, model }: Wanted): Promise<Workflows> => {
  const [maya, jonas, priya, tomás] = ['maya', 'jonas', 'priya', 'tomás'].map(scene.person) as [
    Person,
    Person,
    Person,
    Person,
  ]
  const nda = templates.get('Mutual confidentiality agreement') ?? ''
  const publish = (author: Person, name: string, description: string, graph: Graph) =>
    publishAs(author, jonas, { name, description, graph })

  const invoices = await publish(
    priya,
    'Invoice approval',
    'Reads invoices as they arrive. Finance is asked about those above 2,500 €.',
    graphs.invoiceApproval([jonas.id, maya.id]),
  )
  await priya.call(workflows.addEventTrigger, {
    params: { id: invoices },
    body: { name: 'An invoice arrived', event_type: invoiceEvent, concurrency: 'parallel' },
  })
  const stock = await publish(
    tomás,
    'Nightly stock check',
    'Counts the bags and drafts an order for what is low.',
    graphs.stockCheck,
  )
  const { id: stockTrigger } = await tomás.call(workflows.addCronTrigger, {
    params: { id: stock },
    body: { name: 'Every night', cron: '30 2 * * *', timezone: 'Europe/Berlin' },
  })
  const onboarding = await publish(
    maya,
    'Supplier onboarding',
    'Sends the confidentiality agreement and opens an account once both have signed.',
    graphs.supplierOnboarding(nda, maya),
  )
  const replies = await makeDraft(scene.person('chiara'), {
    name: 'Answers to customers',
    description: 'Drafts an answer to each message. Somebody reads it before it is sent.',
    graph: graphs.customerReplies(model),
  })
  await scene.person('chiara').call(workflows.submitWorkflow, {
    params: { id: replies },
    body: { notes: 'Tried with twenty messages of last week. Please look at the prompt.' },
  })
  return { invoices, stock, stockTrigger, onboarding }
}

interface Draft {
  name: string
  description: string
  graph: Graph
}

const makeDraft = async (author: Person, body: Draft): Promise<string> =>
  (await author.call(workflows.createWorkflow, { body })).id

const publishAs = async (author: Person, reviewer: Person, draft: Draft): Promise<string> => {
  const id = await makeDraft(author, draft)
  const params = { id }
  await author.call(workflows.submitWorkflow, { params, body: { notes: 'First version.' } })
  await reviewer.call(workflows.approveWorkflow, { params, body: { notes: 'Looks good.' } })
  return id
}
