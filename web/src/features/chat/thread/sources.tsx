/** The sources of a reply, numbered like its citation marks. */
import type { Source } from '../history/parts.ts'
import { SourcePopover } from '../markdown/source-ref.tsx'

export function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <ol aria-label="Sources" className="flex flex-wrap gap-1.5">
      {sources.map((source, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a source is identified by its number
        <li key={index}>
          <SourcePopover source={source}>
            <button
              type="button"
              className="flex max-w-64 items-center gap-2 rounded-full border bg-surface py-1 pr-3 pl-2.5 text-sm transition-colors duration-150 hover:bg-sunken"
            >
              <span className="figures text-seal-text text-xs">{index + 1}</span>
              <span className="truncate">{source.name}</span>
            </button>
          </SourcePopover>
        </li>
      ))}
    </ol>
  )
}
