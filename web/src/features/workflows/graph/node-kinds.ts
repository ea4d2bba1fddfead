/** The label, icon, description and outputs of each node type. */
import {
  type GraphNode,
  type NodeType,
  nodeHandles,
  typesWithoutDefaultHandle,
} from '@chancery/contract/workflow-graph.ts'
import {
  Bot,
  Braces,
  CircleCheckBig,
  Clock,
  Globe,
  type LucideIcon,
  Megaphone,
  Merge,
  PenLine,
  RefreshCw,
  Repeat,
  Shapes,
  Split,
  Workflow,
  Wrench,
} from 'lucide-react'

export interface NodeKind {
  label: string
  icon: LucideIcon
  /** One sentence for the node picker. */
  purpose: string
}

export const nodeKinds: Record<NodeType, NodeKind> = {
  agent: {
    label: 'Agent',
    icon: Bot,
    purpose: 'A model works on a prompt and can use tools and knowledge.',
  },
  tool: { label: 'Tool', icon: Wrench, purpose: 'Calls a tool with fixed arguments, without a model.' },
  condition: { label: 'Condition', icon: Split, purpose: 'Branches on one or more expressions.' },
  transform: { label: 'Transform', icon: Shapes, purpose: 'Builds new fields from earlier results.' },
  http_request: { label: 'HTTP request', icon: Globe, purpose: 'Calls another service over HTTP.' },
  emit_event: { label: 'Emit event', icon: Megaphone, purpose: 'Publishes an event that can start other workflows.' },
  wait: { label: 'Wait', icon: Clock, purpose: 'Pauses for a duration, or until a date or an event.' },
  approval: { label: 'Approval', icon: CircleCheckBig, purpose: 'Asks a person to approve before the run continues.' },
  for_each: { label: 'For each', icon: Repeat, purpose: 'Runs another workflow once for each item of a list.' },
  subworkflow: { label: 'Subworkflow', icon: Workflow, purpose: 'Runs another workflow and uses its result.' },
  signature: {
    label: 'Signature',
    icon: PenLine,
    purpose: 'Sends a signing template and waits until everyone has signed.',
  },
  loop: { label: 'Loop', icon: RefreshCw, purpose: 'Runs another workflow again until a condition holds.' },
  merge: { label: 'Merge', icon: Merge, purpose: 'Waits for several branches, or for the first of them.' },
  code: { label: 'Code', icon: Braces, purpose: 'Computes its output with JavaScript or an expression.' },
}

/** The outputs of a node; null is the default one. The server's validation uses the same list. */
export const handlesOf = ({ type, config }: Pick<GraphNode, 'type' | 'config'>): (string | null)[] => {
  const hasCases = type === 'condition' && Array.isArray(config.cases) && config.cases.length > 0
  const named = hasCases ? [...new Set([...caseHandles(config.cases), 'else'])] : (nodeHandles[type] ?? [])
  return [
    ...(typesWithoutDefaultHandle.includes(type) ? [] : [null]),
    ...named,
    ...(config.on_error === 'continue' ? ['error'] : []),
  ]
}

/** A draft may contain any value here. */
const caseHandles = (cases: unknown): string[] =>
  Array.isArray(cases)
    ? cases.flatMap((one: unknown) => {
        const handle = (one as { handle?: unknown } | null)?.handle
        return typeof handle === 'string' && handle !== '' ? [handle] : []
      })
    : []
