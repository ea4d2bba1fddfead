/** The date range: the last n days, or two dates. */
import { Segmented } from '#ui/form/choices.tsx'
import { type DayRange, type RangeSearch, spanOf, spans } from './day-range.ts'

interface RangePickerProps {
  search: RangeSearch
  range: DayRange
  onChange: (search: RangeSearch) => void
}

const labels: Record<(typeof spans)[number], string> = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' }
const dateLook =
  'figures h-9 rounded-control border border-b-rule bg-surface px-2 text-sm focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15'

export function RangePicker({ search, range, onChange }: RangePickerProps) {
  const span = spanOf(search)
  const setDay = (change: Partial<DayRange>) => {
    const next = { ...range, ...change }
    if (next.from !== '' && next.to !== '' && next.from <= next.to) onChange(next)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Segmented
        legend="Date range"
        name="days"
        value={span === undefined ? '' : String(span)}
        options={spans.map((days) => ({ value: String(days), label: labels[days] }))}
        onChange={(days) => onChange({ days: Number(days) })}
      />
      <div className="flex items-center gap-2 text-faint text-sm">
        <input
          type="date"
          aria-label="From"
          value={range.from}
          max={range.to}
          onChange={(event) => setDay({ from: event.target.value })}
          className={dateLook}
        />
        to
        <input
          type="date"
          aria-label="To"
          value={range.to}
          min={range.from}
          onChange={(event) => setDay({ to: event.target.value })}
          className={dateLook}
        />
      </div>
    </div>
  )
}
