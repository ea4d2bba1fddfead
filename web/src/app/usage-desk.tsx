/** A usage page, whosever it is: the days, what was used in them, and what its owner adds. */
import { type ReactNode, useMemo } from 'react'
import type { Scope } from '#features/usage/api.ts'
import { rangeOf } from '#features/usage/day-range.ts'
import { RangePicker } from '#features/usage/range-picker.tsx'
import { UsageReport } from '#features/usage/usage-report.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import type { UsageSearch } from './usage-search.ts'

interface UsageDeskProps {
  scope: Scope
  search: UsageSearch
  onSearch: (change: (search: UsageSearch) => UsageSearch) => void
  /** What comes before the days. */
  head?: ReactNode
  /** What comes after. */
  children?: ReactNode
}

export function UsageDesk({ scope, search, onSearch, head, children }: UsageDeskProps) {
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
