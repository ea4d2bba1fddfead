/** Every node type, and what follows from it for one node. The compiler finds a missing one. */
import {
  type GraphNode,
  type NodeType,
  nodeHandles,
  typesWithoutDefaultHandle,
} from '@chancery/contract/workflows/graph.ts'
import { agent } from './agent.ts'
import { approval } from './approval.ts'
import { code } from './code.ts'
import { condition } from './condition.ts'
import { emitEvent } from './emit-event.ts'
import { forEach } from './for-each.ts'
import { httpRequest } from './http-request.ts'
import type { NodeKind } from './kind.ts'
import { loop } from './loop.ts'
import { merge } from './merge.ts'
import { signature } from './signature.ts'
import { subworkflow } from './subworkflow.ts'
import { tool } from './tool.ts'
import { transform } from './transform.ts'
import { wait } from './wait.ts'

export const nodeKinds: Record<NodeType, NodeKind> = {
  agent,
  tool,
  condition,
  transform,
  http_request: httpRequest,
  emit_event: emitEvent,
  wait,
  approval,
  for_each: forEach,
  subworkflow,
  signature,
  code,
  merge,
  loop,
}

type Typed = Pick<GraphNode, 'type' | 'config'>

export const newConfig = (type: NodeType): GraphNode['config'] => structuredClone(nodeKinds[type].start)

export const summaryOf = ({ type, config }: Typed): string => nodeKinds[type].summary(config) || nodeKinds[type].label

/** The outputs of a node; null is the default one. The server's validation uses the same list. */
export const handlesOf = ({ type, config }: Typed): (string | null)[] => [
  ...(typesWithoutDefaultHandle.includes(type) ? [] : [null]),
  ...(nodeKinds[type].handles?.(config) ?? nodeHandles[type] ?? []),
  ...(config.on_error === 'continue' ? ['error'] : []),
]
