/** The filters of the audit log, and its export. */
import { Download } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { BareSelect, inputLook } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { type AuditSearch, auditExportUrl } from './api.ts'
import { areas, wordsOf } from './audit-labels.ts'

interface AuditFilterProps {
  search: AuditSearch
  /** An empty text removes the filter. */
  onFilter: (name: 'search' | 'person' | 'area' | 'from' | 'to', value: string) => void
}

export const AuditFilter = ({ search, onFilter }: AuditFilterProps) => (
  <search aria-label="Filter audit log" className="flex flex-wrap items-center gap-2 border-b px-5 pb-4">
    <SearchInput label="Search audit log" value={search.search ?? ''} onSearch={(text) => onFilter('search', text)} />
    <SearchInput
      label="Person"
      value={search.person ?? ''}
      onSearch={(text) => onFilter('person', text)}
      hasKey={false}
    />
    <BareSelect aria-label="Area" value={search.area ?? ''} onChange={({ target }) => onFilter('area', target.value)}>
      <option value="">All areas</option>
      {areas.map((area) => (
        <option key={area} value={area}>
          {wordsOf(area)}
        </option>
      ))}
    </BareSelect>
    <span className="flex flex-wrap items-center gap-2">
      <DayInput label="From" value={search.from} onChange={(day) => onFilter('from', day)} />
      <DayInput label="To" value={search.to} onChange={(day) => onFilter('to', day)} />
    </span>
    <a href={auditExportUrl(search)} download className={buttonLook('plain')}>
      <Download aria-hidden className="size-4" /> Export
    </a>
  </search>
)

interface DayInputProps {
  label: string
  value: string | undefined
  onChange: (day: string) => void
}

const DayInput = ({ label, value = '', onChange }: DayInputProps) => (
  <label className="flex items-center gap-1.5 text-faint text-sm">
    {label}
    <input
      type="date"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={cx(inputLook, 'h-9 max-w-40 text-ink')}
    />
  </label>
)
