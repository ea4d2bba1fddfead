/** Starting points of a new workflow, as cards. A template lists the values that must be filled in. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { SquareDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { fieldLabel } from '../graph/field-names.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'

interface TemplateChoiceProps {
  templates: UseQueryResult<{ items: WorkflowTemplate[] }>
  chosen: WorkflowTemplate | undefined
  onChoose: (template: WorkflowTemplate | undefined) => void
}

export function TemplateChoice({ templates, chosen, onChoose }: TemplateChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-sm">Start from</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <Choice
          title="Blank"
          hint="Start with an empty canvas."
          marks={<SquareDashed aria-hidden className="size-4" />}
          isChosen={chosen === undefined}
          onChoose={() => onChoose(undefined)}
        />
        {templates.isPending && (
          <Loading label="Loading templates">
            <Skeleton className="h-24 rounded-panel" />
          </Loading>
        )}
        {templates.data?.items.map((template) => (
          <Choice
            key={template.id}
            title={template.name}
            hint={template.description}
            marks={<NodeRow template={template} />}
            note={toFillText(template)}
            isChosen={template.id === chosen?.id}
            onChoose={() => onChoose(template)}
          />
        ))}
      </div>
      {templates.isError && <ErrorPanel error={templates.error} onRetry={templates.refetch} />}
    </fieldset>
  )
}

/** `To fill in: Model of “Sort”`. */
function toFillText({ to_fill, graph }: WorkflowTemplate): string {
  if (to_fill.length === 0) return 'Ready to publish'
  const parts = to_fill.map(({ node_id, field }) => {
    const node = graph.nodes.find(({ id }) => id === node_id)
    return `${fieldLabel(field, node?.type).toLowerCase()} of “${node?.name ?? node_id}”`
  })
  return `To fill in: ${parts.join(', ')}`
}

const NodeRow = ({ template }: { template: WorkflowTemplate }) => (
  <>
    {template.graph.nodes.map(({ id, type }) => {
      const { icon: Icon } = nodeKinds[type]
      return <Icon key={id} aria-hidden className="size-4" />
    })}
  </>
)

interface ChoiceProps {
  title: string
  hint: string
  marks: ReactNode
  note?: string
  isChosen: boolean
  onChoose: () => void
}

function Choice({ title, hint, marks, note, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="relative flex cursor-pointer flex-col gap-1 rounded-panel border bg-surface p-3 transition-colors duration-150 hover:border-rule has-checked:border-seal has-checked:bg-seal-wash has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2">
      <input
        type="radio"
        name="beginning"
        aria-label={title}
        checked={isChosen}
        onChange={onChoose}
        className="sr-only"
      />
      <span className="flex items-center gap-1 text-faint">{marks}</span>
      <span className="font-medium">{title}</span>
      <span className="text-soft text-sm">{hint}</span>
      {note !== undefined && <span className="mt-auto pt-1 text-faint text-xs">{note}</span>}
    </label>
  )
}
