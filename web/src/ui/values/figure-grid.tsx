/** A few large numbers side by side. */
import { Skeleton } from '#ui/feedback/states.tsx'

interface LargeFigure {
  label: string
  /** Undefined until known. */
  value: string | undefined
  /** Shown on hover. */
  exact?: string | undefined
}

export const FigureGrid = ({ figures }: { figures: readonly LargeFigure[] }) => (
  <dl className="grid grid-cols-2 overflow-hidden rounded-panel border bg-surface lg:grid-cols-4">
    {figures.map(({ label, value, exact }) => (
      <div key={label} className="-mt-px -ml-px border-t border-l px-5 py-4">
        <dt className="text-soft text-sm">{label}</dt>
        <dd className="figures mt-1 font-serif text-xl" title={exact}>
          {value ?? <Skeleton className="h-7 w-16" />}
        </dd>
      </div>
    ))}
  </dl>
)
