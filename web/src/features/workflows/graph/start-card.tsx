/** The Start node on the canvas: each trigger, what it listens for, and whether it starts runs. */
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { Play } from 'lucide-react'
import { memo } from 'react'
import { cx } from '#ui/class-names.ts'
import { CardHead } from './card-head.tsx'
import { headMiddle, maxStartRows } from './card-size.ts'
import { handleId } from './flow-elements.ts'
import { toneColours } from './marks.ts'
import type { StartNode, StartRow } from './start-node.ts'

export const StartCard = memo(function StartCard({ data: { start }, selected }: NodeProps<StartNode>) {
  const hidden = start.rows.length - maxStartRows
  return (
    <div
      className={cx(
        'flex h-full w-full flex-col overflow-hidden rounded-panel border border-rule/60 bg-surface text-left',
        selected && 'shadow-float ring-2 ring-seal',
      )}
    >
      <div className="flex h-[58px] shrink-0 items-center gap-2.5 px-2.5">
        <CardHead icon={Play} isRound name="Start" summary={start.summary} />
      </div>
      {start.rows.slice(0, maxStartRows).map((row) => (
        <TriggerRow key={row.id} row={row} />
      ))}
      {hidden > 0 && <p className="flex h-6 shrink-0 items-center border-t px-2.5 text-faint text-xs">{hidden} more</p>}
      <Handle
        id={handleId(null)}
        type="source"
        position={Position.Right}
        isConnectable={false}
        style={{ top: headMiddle }}
      />
    </div>
  )
})

const TriggerRow = ({ row: { icon: Icon, text, detail, status, tone } }: { row: StartRow }) => (
  <div
    title={[text, detail, status].filter(Boolean).join('\n')}
    className="flex h-11 shrink-0 flex-col justify-center border-t px-2.5 text-xs"
  >
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="truncate">{text}</span>
    </span>
    <span className="flex min-w-0 items-center gap-1.5 text-faint">
      <span
        aria-hidden
        style={{ backgroundColor: toneColours[tone] }}
        className="mx-[3px] size-2 shrink-0 rounded-full"
      />
      <span className="shrink-0">{status}</span>
      {detail !== '' && <span className="truncate">· {detail}</span>}
    </span>
  </div>
)
