/** A plot, and its figures as a table for who can't see it or wants them exactly. */
import type { StatusPoint } from '@chancery/contract/platform/status.ts'
import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { clockText, dayText, hourText } from '#lib/time/point-text.ts'
import { Skeleton } from '#ui/feedback/states.tsx'
import type { TimePlotProps } from '#ui/plot/time-plot.tsx'
import { Table } from '#ui/table/table.tsx'
import type { Span } from './api.ts'
import type { PlotOf } from './plot-list.ts'
import { orDash } from './status-labels.ts'

const LazyPlot = lazy(async () => {
  const { TimePlot } = await import('#ui/plot/time-plot.tsx')
  return { default: (props: TimePlotProps<StatusPoint>) => <TimePlot {...props} /> }
})

interface StatusPlotProps {
  plot: PlotOf
  points: readonly StatusPoint[]
  span: Span
}

export function StatusPlot({ plot, points, span }: StatusPlotProps) {
  return (
    <div className="min-w-0">
      <Suspense fallback={<Skeleton className="h-52" />}>
        <LazyPlot
          {...plot}
          points={points}
          hasGaps
          tickText={span === 'day' ? clockText : dayText}
          timeText={hourText}
        />
      </Suspense>
      <PlotTable plot={plot} points={points} />
    </div>
  )
}

function PlotTable({ plot: { title, series, format }, points }: Omit<StatusPlotProps, 'span'>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group mt-2" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex w-fit list-none items-center gap-1 rounded-control text-faint text-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform duration-150 group-open:rotate-90" />
        <span>
          Table<span className="sr-only">: {title}</span>
        </span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section tabIndex={0} aria-label={title} className="mt-2 max-h-72 overflow-y-auto rounded-control border">
          <Table
            label={title}
            rows={points.filter(({ minutes }) => minutes > 0).toReversed()}
            keyOf={({ at }) => String(at)}
            columns={[
              { head: 'Time', cell: ({ at }) => hourText(at) },
              ...series.map(({ name, of }) => ({
                head: name,
                cell: (point: StatusPoint) => orDash(format)(of(point)),
              })),
            ]}
          />
        </section>
      )}
    </details>
  )
}
