/** What each type of node is called, looks like and is for, and by which ways it can be left. */
import { type GraphNode, type NodeType, nodeHandles } from '@chancery/contract/workflow-graph.ts'
import {
  Bot,
  CircleCheckBig,
  Clock,
  Globe,
  type LucideIcon,
  Megaphone,
  Repeat,
  Shapes,
  Split,
  Workflow,
  Wrench,
} from 'lucide-react'

export interface NodeKind {
  label: string
  icon: LucideIcon
  /** One sentence, for whoever chooses. */
  purpose: string
}

export const nodeKinds: Record<NodeType, NodeKind> = {
  agent: {
    label: 'Agent',
    icon: Bot,
    purpose: 'A model works on a prompt, with tools and knowledge if it needs them.',
  },
  tool: { label: 'Tool', icon: Wrench, purpose: 'Calls one tool with arguments you set, without a model.' },
  condition: { label: 'Condition', icon: Split, purpose: 'Goes one way or another, by expressions.' },
  transform: { label: 'Transform', icon: Shapes, purpose: 'Makes new fields out of what is known so far.' },
  http_request: { label: 'HTTP request', icon: Globe, purpose: 'Calls another service.' },
  emit_event: { label: 'Emit event', icon: Megaphone, purpose: 'Publishes an event that other workflows can act on.' },
  wait: { label: 'Wait', icon: Clock, purpose: 'Rests for a time, or until an event comes.' },
  approval: { label: 'Approval', icon: CircleCheckBig, purpose: 'Asks a person, and goes on with the answer.' },
  for_each: { label: 'For each', icon: Repeat, purpose: 'Runs another workflow once for every item of a list.' },
  subworkflow: { label: 'Subworkflow', icon: Workflow, purpose: 'Runs another workflow and takes its result.' },
}

/** By which a node can be left; null is the plain way. The server's validation knows the same ways. */
export const handlesOf = ({ type, config }: Pick<GraphNode, 'type' | 'config'>): (string | null)[] => {
  const hasCases = type === 'condition' && Array.isArray(config.cases) && config.cases.length > 0
  const named = hasCases ? [...new Set([...caseHandles(config.cases), 'else'])] : (nodeHandles[type] ?? [])
  return [
    ...(type === 'condition' || type === 'approval' ? [] : [null]),
    ...named,
    ...(config.on_error === 'continue' ? ['error'] : []),
  ]
}

/** A draft may hold anything where cases belong. */
const caseHandles = (cases: unknown): string[] =>
  Array.isArray(cases)
    ? cases.flatMap((one: unknown) => {
        const handle = (one as { handle?: unknown } | null)?.handle
        return typeof handle === 'string' && handle !== '' ? [handle] : []
      })
    : []
