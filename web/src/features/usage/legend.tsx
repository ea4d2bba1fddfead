/** The legend of a chart, separate so that it doesn't load the chart library. */
import type { Measure } from './plots.tsx'

const entries: Record<Measure, readonly { name: string; look: string }[]> = {
  tokens: [
    { name: 'Input tokens', look: 'bg-plot-base' },
    { name: 'Output tokens', look: 'bg-plot-light' },
  ],
  requests: [
    { name: 'Succeeded', look: 'bg-plot-base' },
    { name: 'Failed', look: 'bg-bad' },
  ],
}

export const Legend = ({ measure }: { measure: Measure }) => (
  <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-soft text-sm">
    {entries[measure].map(({ name, look }) => (
      <li key={name} className="flex items-center gap-2">
        <span aria-hidden className={`size-2.5 rounded-[2px] ${look}`} />
        {name}
      </li>
    ))}
  </ul>
)
