/** The legend of a comparison, with counts. */
import type { VersionDiff } from '@chancery/contract/workflows/workflows.ts'
import { counted } from '#lib/text/counted.ts'
import { toneColours } from '../graph/marks.ts'

/** `2 nodes, 1 edge`, without zeros. */
const countsText = (counts: readonly (readonly [number, string])[]) =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(', ') || 'none'

export function DiffLegend({ diff: { nodes, edges, settings } }: { diff: VersionDiff }) {
  return (
    <dl className="figures flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      <Entry
        tone="added"
        word="Added"
        counts={[
          [nodes.added.length, 'node'],
          [edges.added.length, 'edge'],
        ]}
      />
      <Entry
        tone="removed"
        word="Removed"
        counts={[
          [nodes.removed.length, 'node'],
          [edges.removed.length, 'edge'],
        ]}
      />
      <Entry
        tone="changed"
        word="Changed"
        counts={[
          [nodes.changed.length, 'node'],
          [settings.changed.length, 'setting'],
        ]}
      />
      <Entry
        word="Unchanged"
        counts={[
          [nodes.unchanged.length, 'node'],
          [edges.unchanged.length, 'edge'],
        ]}
      />
    </dl>
  )
}

interface EntryProps {
  tone?: 'added' | 'removed' | 'changed'
  word: string
  counts: readonly (readonly [number, string])[]
}

const Entry = ({ tone, word, counts }: EntryProps) => (
  <div className="flex items-center gap-1.5">
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-full border border-rule"
      style={tone && { backgroundColor: toneColours[tone], borderColor: toneColours[tone] }}
    />
    <dt className="font-medium">{word}</dt>
    <dd className="text-faint">{countsText(counts)}</dd>
  </div>
)
