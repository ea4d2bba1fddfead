/** Selects what the next replies may use: features, tools and filters. */
import { Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTools } from '#data/tools.ts'
import { IconButton } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Check } from '#ui/form/choices.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { useFunctions } from './api.ts'
import { type ChatTools, countOf, featureLabels, toggle, toolsOfFeatures } from './chat-tools.ts'

interface ToolPickerProps {
  tools: ChatTools
  onChange: (tools: ChatTools) => void
}

export function ToolPicker({ tools, onChange }: ToolPickerProps) {
  const count = countOf(tools)
  const trigger = <IconButton label={count === 0 ? 'Tools' : `Tools (${count} on)`} icon={Wrench} />
  return (
    <span className="relative flex">
      <Popover
        label="Tools"
        trigger={trigger}
        side="top"
        className="w-96 max-w-[calc(100vw-1.5rem)] overflow-y-auto py-2"
      >
        <ToolSheet tools={tools} onChange={onChange} />
      </Popover>
      {count > 0 && (
        <span
          aria-hidden
          className="figures pointer-events-none absolute -top-0.5 -right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-seal px-1 text-on-seal text-xs"
        >
          {count}
        </span>
      )}
    </span>
  )
}

function ToolSheet({ tools, onChange }: ToolPickerProps) {
  const listed = useTools()
  const functions = useFunctions()
  if (listed.isPending || functions.isPending) return <SheetSkeleton />
  const failed = [listed, functions].find(({ isError }) => isError)
  if (failed || !listed.data || !functions.data) {
    return (
      <div className="p-3">
        <ErrorPanel error={failed?.error} onRetry={() => Promise.all([listed.refetch(), functions.refetch()])} />
      </div>
    )
  }
  const own = listed.data.filter(({ id }) => !toolsOfFeatures.has(id))
  const usable = new Set(listed.data.map(({ id }) => id))
  const features = featureLabels.filter(({ needsTool }) => needsTool === undefined || usable.has(needsTool))
  const filters = functions.data.filter(({ type }) => type === 'filter')
  return (
    <>
      <Section title="Features">
        {features.map(({ name, label, description }) => (
          <Item
            key={name}
            label={label}
            description={description}
            isOn={tools.features.includes(name)}
            onChange={() => onChange({ ...tools, features: toggle(tools.features, name) })}
          />
        ))}
      </Section>
      <Section title="Tools">
        {own.map(({ id, name, description }) => (
          <Item
            key={id}
            label={name}
            description={description}
            isOn={tools.toolIds.includes(id)}
            onChange={() => onChange({ ...tools, toolIds: toggle(tools.toolIds, id) })}
          />
        ))}
      </Section>
      {filters.length > 0 && (
        <Section title="Filters">
          {filters.map(({ id, name, description }) => (
            <Item
              key={id}
              label={name}
              description={description}
              isOn={tools.filterIds.includes(id)}
              onChange={() => onChange({ ...tools, filterIds: toggle(tools.filterIds, id) })}
            />
          ))}
        </Section>
      )}
    </>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="not-first:mt-2 not-first:border-t not-first:pt-2">
    <h2 className="px-3 py-1 font-medium text-faint text-xs">{title}</h2>
    {children}
  </section>
)

interface ItemProps {
  label: string
  description: string
  isOn: boolean
  onChange: () => void
}

const Item = ({ label, description, isOn, onChange }: ItemProps) => (
  <Check isOn={isOn} onChange={onChange}>
    <span className="min-w-0">
      <span className="block truncate">{label}</span>
      {description !== '' && <span className="line-clamp-2 text-faint text-sm">{description}</span>}
    </span>
  </Check>
)

const SheetSkeleton = () => (
  <Loading label="Loading tools">
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-3/5" />
    </div>
  </Loading>
)
