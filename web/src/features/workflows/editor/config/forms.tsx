/** The form for each node type. */
import type { NodeType } from '@chancery/contract/workflow-graph.ts'
import type { ReactNode } from 'react'
import { AgentForm, ToolForm } from './agent-forms.tsx'
import { ApprovalForm } from './approval-form.tsx'
import { CodeForm } from './code-form.tsx'
import { ConditionForm } from './condition-form.tsx'
import type { FormProps } from './form-help.tsx'
import { EmitForm, HttpForm } from './outbound-forms.tsx'
import { PairsRow } from './pairs-row.tsx'
import { SignatureForm } from './signature-form.tsx'
import { SelectRow } from './text-rows.tsx'
import { WaitForm } from './wait-form.tsx'
import { ForEachForm, LoopForm, SubworkflowForm } from './workflow-forms.tsx'

const TransformForm = () => (
  <PairsRow
    name="fields"
    label="Fields"
    help="Each field is a Python expression over payload, event, input and state. Together they are the output."
    nameLabel="Field name"
    valueLabel="Field expression"
    addLabel="Add field"
    notation="expression"
    isRequired
  />
)

const mergeModes = [
  { value: 'all', label: 'All branches' },
  { value: 'any', label: 'The first branch' },
]

const MergeForm = () => (
  <SelectRow
    name="mode"
    label="Wait for"
    options={mergeModes}
    usual="all"
    help="All: the output has each branch’s result under the ID of its last node. First: it has branch and output, and the other branches run on."
  />
)

export const forms: Record<NodeType, (props: FormProps) => ReactNode> = {
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
