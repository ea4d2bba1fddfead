/** The filters of the list of runs: statuses, what started them, and times. */
import { RunStatus } from '@chancery/contract/workflows/runs.ts'
import { ChevronDown, X } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { Check } from '#ui/form/choices.tsx'
import { TimeField } from '#ui/form/time-field.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { runLabels } from '#ui/values/run-labels.ts'
import { isNarrowed, type RunFilter, type RunTrigger } from './run-filter.ts'
import { triggerLabels } from './step-labels.ts'

interface RunFiltersProps {
  filter: RunFilter
  onFilter: (filter: RunFilter) => void
}

const triggers = Object.keys(triggerLabels) as RunTrigger[]

export const RunFilters = ({ filter, onFilter }: RunFiltersProps) => (
  <search aria-label="Filter runs" className="flex flex-wrap items-center gap-2">
    <Choices
      label="Status"
      all={RunStatus.options}
      chosen={filter.statuses}
      labelOf={(status) => runLabels[status].label}
      onChosen={(statuses) => onFilter({ ...filter, statuses })}
    />
    <Choices
      label="Started by"
      all={triggers}
      chosen={filter.triggers}
      labelOf={(trigger) => triggerLabels[trigger]}
      onChosen={(chosen) => onFilter({ ...filter, triggers: chosen })}
    />
    <TimeField label="From" value={filter.from} onValue={(from) => onFilter({ ...filter, from })} />
    <TimeField label="To" value={filter.to} onValue={(to) => onFilter({ ...filter, to })} />
    {isNarrowed(filter) && (
      <Button look="quiet" size="small" icon={X} onClick={() => onFilter({ statuses: [], triggers: [] })}>
        Clear
      </Button>
    )}
  </search>
)

interface ChoicesProps<Value extends string> {
  label: string
  all: readonly Value[]
  chosen: readonly Value[]
  labelOf: (value: Value) => string
  onChosen: (chosen: Value[]) => void
}

function Choices<Value extends string>({ label, all, chosen, labelOf, onChosen }: ChoicesProps<Value>) {
  const toggle = (value: Value) =>
    onChosen(all.filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <Popover
      label={label}
      trigger={
        <Button size="small" icon={ChevronDown}>
          {chosen.length === 0 ? label : `${label}: ${chosen.map(labelOf).join(', ')}`}
        </Button>
      }
    >
      <div className="py-1">
        {all.map((value) => (
          <Check key={value} isOn={chosen.includes(value)} onChange={() => toggle(value)}>
            {labelOf(value)}
          </Check>
        ))}
      </div>
    </Popover>
  )
}
