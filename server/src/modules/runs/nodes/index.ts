/** The executor of every node type. */
import type { RunsContext } from '../shared/context.ts'
import type { Executors } from '../shared/node-interface.ts'
import { agent } from './agent.ts'
import { approval } from './approval.ts'
import { code } from './code.ts'
import { condition } from './condition.ts'
import { emitEvent } from './emit-event.ts'
import { forEach } from './for-each.ts'
import { httpRequest } from './http-request.ts'
import { loop } from './loop.ts'
import { merge } from './merge.ts'
import { signature } from './signature.ts'
import { subworkflow } from './subworkflow.ts'
import { tool } from './tool.ts'
import { transform } from './transform.ts'
import { wait } from './wait.ts'

export const createExecutors = (context: RunsContext): Executors => {
  const { kernel, definitions } = context
  const { db, config, expressions } = kernel
  const children = { db, definitions, maxDescendants: config.SVC_RUN_MAX_DESCENDANTS }
  return {
    agent: agent(context),
    tool: tool({ db, tools: context.tools }),
    condition: condition({ expressions }),
    transform: transform({ expressions }),
    http_request: httpRequest({ ...kernel, signRequestUnscoped: definitions.signRequestUnscoped }),
    emit_event: emitEvent({ maxPayloadBytes: config.EVENT_MAX_PAYLOAD_BYTES }),
    wait: wait({ db, expressions, bus: context.bus }),
    approval: approval({ db }),
    for_each: forEach({ ...children, expressions }),
    subworkflow: subworkflow(children),
    signature: signature({ db, signatures: context.signatures }),
    merge,
    loop: loop({ ...children, expressions }),
    code: code({ expressions, runCode: context.runCode }),
  }
}
