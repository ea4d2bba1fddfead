/** The workflow that a node runs: searched by name, stored by ID. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { Field } from '#ui/form/field.tsx'
import { Suggest } from '#ui/form/suggest.tsx'
import { useWorkflowList, workflowQuery } from '../../api.ts'
import { textAt, useNodeConfig } from './config-context.ts'

interface WorkflowRowProps {
  /** The workflow being edited, which can't call itself. */
  ownId: string
  hrefOf: (workflowId: string) => string
}

export function WorkflowRow({ ownId, hrefOf }: WorkflowRowProps) {
  const { config, problems, change } = useNodeConfig()
  const id = textAt(config, 'workflow_id')
  const [typed, setTyped] = useState<string>()
  const search = useDebounced(typed ?? '')
  const found = useWorkflowList({ limit: 20, ...(search !== '' && { search }) })
  const chosen = useQuery({ ...workflowQuery(id), enabled: id !== '', retry: false })
  const suggestions = (found.data?.items ?? [])
    .filter((workflow) => workflow.id !== ownId)
    .map(({ id: value, name, status }) => ({ value, label: name, detail: status }))
  return (
    <Field
      label="Workflow"
      name="workflow_id"
      problem={problems.get('workflow_id')}
      help="Its live version runs, with the same owner and catalog."
      aside={
        id !== '' && (
          <a
            href={hrefOf(id)}
            target="_blank"
            rel="noreferrer"
            className="text-sm text-soft underline decoration-rule underline-offset-4 hover:decoration-seal"
          >
            Open
          </a>
        )
      }
    >
      <Suggest
        value={typed ?? chosen.data?.name ?? id}
        suggestions={suggestions}
        placeholder="Search by name"
        emptyHint="No other workflow with that name."
        onChange={(text) => {
          setTyped(text)
          if (text === '') change({ workflow_id: undefined })
        }}
        // Text without a selection changes nothing: the chosen workflow is shown again.
        onLeave={() => setTyped(undefined)}
        onTake={({ value }) => {
          setTyped(undefined)
          change({ workflow_id: value })
        }}
      />
    </Field>
  )
}
