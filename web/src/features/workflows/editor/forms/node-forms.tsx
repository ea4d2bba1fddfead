/** The form of each node type. */
import type { NodeType } from '@chancery/contract/workflows/graph.ts'
import type { ReactNode } from 'react'
import type { FormProps } from '../rows/form-help.tsx'
import { AgentForm } from './agent.tsx'
import { ApprovalForm } from './approval.tsx'
import { CodeForm } from './code.tsx'
import { ConditionForm } from './condition.tsx'
import { EmitForm } from './emit-event.tsx'
import { ForEachForm } from './for-each.tsx'
import { HttpForm } from './http-request.tsx'
import { LoopForm } from './loop.tsx'
import { MergeForm } from './merge.tsx'
import { SignatureForm } from './signature.tsx'
import { SubworkflowForm } from './subworkflow.tsx'
import { ToolForm } from './tool.tsx'
import { TransformForm } from './transform.tsx'
import { WaitForm } from './wait.tsx'

export const nodeForms: Record<NodeType, (props: FormProps) => ReactNode> = {
  agent: AgentForm,
  tool: ToolForm,
  condition: ConditionForm,
  transform: TransformForm,
  http_request: HttpForm,
  emit_event: EmitForm,
  wait: WaitForm,
  approval: ApprovalForm,
  for_each: ForEachForm,
  subworkflow: SubworkflowForm,
  signature: SignatureForm,
  code: CodeForm,
  merge: MergeForm,
  loop: LoopForm,
}
