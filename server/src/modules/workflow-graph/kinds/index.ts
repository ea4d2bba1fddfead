/** Every kind of node. */
import type { NodeType } from '@chancery/contract/workflows/graph.ts'
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

const kinds: { [Type in NodeType]: NodeKind<Type> } = {
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

/** For callers that don't know which kind it is; a config is checked by the schema of its kind first. */
export const kindOf = (type: NodeType): NodeKind => kinds[type] as NodeKind
