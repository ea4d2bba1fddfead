/** Compares any two sides of a workflow. Both sides and the selected change are in the URL. */
import { ArrowLeftRight, X } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useVersions } from './api.ts'
import { DiffView } from './diff-view.tsx'
import { sidesOf } from './side-labels.ts'

interface ComparePanelProps {
  workflowId: string
  from: string
  to: string
  selected: string | undefined
  onCompare: (from: string, to: string) => void
  onSelect: (key: string | undefined) => void
  onTriggers: () => void
  onClose: () => void
}

export function ComparePanel({ workflowId, from, to, onCompare, onClose, ...view }: ComparePanelProps) {
  const { data: versions = [] } = useVersions(workflowId)
  const sides = sidesOf(versions, from, to)
  const options = sides.map(({ key, label }) => (
    <option key={key} value={key}>
      {label}
    </option>
  ))
  return (
    <Panel title="Compare" action={<IconButton label="Close comparison" icon={X} onClick={onClose} />}>
      <div className="mb-5 flex gap-2 max-sm:flex-col sm:items-end">
        <Field label="From" name="from" className="min-w-0 flex-1 sm:max-w-72">
          <Select value={from} onChange={(event) => onCompare(event.target.value, to)}>
            {options}
          </Select>
        </Field>
        <IconButton
          label="Swap sides"
          icon={ArrowLeftRight}
          className="sm:mb-1 max-sm:self-center max-sm:-mb-4"
          onClick={() => onCompare(to, from)}
        />
        <Field label="To" name="to" className="min-w-0 flex-1 sm:max-w-72">
          <Select value={to} onChange={(event) => onCompare(from, event.target.value)}>
            {options}
          </Select>
        </Field>
      </div>
      <DiffView
        workflowId={workflowId}
        from={from}
        to={to}
        {...view}
        same="Both sides behave the same. Moving a node doesn’t count as a change."
      />
    </Panel>
  )
}
