/** A usage page: the date range, the usage, and what the page adds. */
import { type ReactNode, useMemo } from 'react'
import type { Scope } from '#features/usage/api.ts'
import { rangeOf } from '#features/usage/day-range.ts'
import { RangePicker } from '#features/usage/range-picker.tsx'
import { UsageReport } from '#features/usage/usage-report.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import type { UsageSearch } from './usage-search.ts'

interface UsageViewProps {
  scope: Scope
  search: UsageSearch
  onSearch: (change: (search: UsageSearch) => UsageSearch) => void
  /** Rendered above the date range. */
  head?: ReactNode
  /** Rendered below the report. */
  children?: ReactNode
}

export function UsageView({ scope, search, onSearch, head, children }: UsageViewProps) {
  const range = useMemo(() => rangeOf(search, new Date()), [search])
  const by = search.by ?? 'model'
  return (
    <>
      <PageTitle>Usage</PageTitle>
      {head}
      <RangePicker
        search={search}
        range={range}
        onChange={(next) => onSearch(({ days: _, from: __, to: ___, ...rest }) => ({ ...rest, ...next }))}
      />
      <UsageReport
        scope={scope}
        range={range}
        measure={search.measure ?? 'tokens'}
        by={scope === 'own' && by === 'user' ? 'model' : by}
        onMeasure={(measure) =>
          onSearch(({ measure: _, ...rest }) => (measure === 'requests' ? { ...rest, measure } : rest))
        }
        onBy={(next) => onSearch(({ by: _, ...rest }) => (next === 'model' ? rest : { ...rest, by: next }))}
      />
      {children}
    </>
  )
}
