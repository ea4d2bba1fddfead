/** Narrows a question to some of the collection's files. */
import { ChevronRight } from 'lucide-react'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { type FilterDraft, filterOf } from './filter-of.ts'

export const emptyDraft: FilterDraft = { name: '', type: '', since: '', metadata: '' }

const types = [
  ['', 'Any type'],
  ['application/pdf', 'PDF'],
  ['text/html', 'Web page'],
  ['text/', 'Text'],
  ['application/vnd.', 'Office document'],
  ['audio/', 'Recording'],
] as const

interface AskFilterProps {
  draft: FilterDraft
  onChange: (draft: FilterDraft) => void
}

export function AskFilter({ draft, onChange }: AskFilterProps) {
  const set = (fields: Partial<FilterDraft>) => onChange({ ...draft, ...fields })
  return (
    <details className="group mt-3">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 text-soft text-sm hover:text-ink">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {filterOf(draft) ? 'Filter (on)' : 'Filter'}
      </summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        <Field label="File name contains" name="filter-name">
          <TextInput maxLength={200} value={draft.name} onChange={({ target }) => set({ name: target.value })} />
        </Field>
        <Field label="Type" name="filter-type">
          <Select value={draft.type} onChange={({ target }) => set({ type: target.value })}>
            {types.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Added since" name="filter-since">
          <TextInput type="date" value={draft.since} onChange={({ target }) => set({ since: target.value })} />
        </Field>
        <Field label="Metadata" name="filter-metadata">
          <TextInput
            placeholder="year=2025"
            maxLength={560}
            value={draft.metadata}
            onChange={({ target }) => set({ metadata: target.value })}
          />
        </Field>
      </div>
    </details>
  )
}
