/** One node on the canvas: its type, configuration, state, inputs and outputs. */
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { cx } from '#ui/class-names.ts'
import { nodeKinds, summaryOf } from '../kinds/node-kinds.ts'
import { CardHead } from './card-head.tsx'
import { hasOutputRows, headMiddle, outputY } from './card-size.ts'
import { type CardNode, handleId, type Output } from './flow-elements.ts'
import { type NodeMark, toneColours } from './marks.ts'

export const NodeCard = memo(function NodeCard({ data, selected, isConnectable }: NodeProps<CardNode>) {
  const { node, outputs, mark, problems, hints } = data
  const names = outputs.map(({ name }) => name)
  return (
    <div
      data-tone={mark?.tone}
      style={mark && { borderColor: toneColours[mark.tone] }}
      className={cx(
        'flex h-full w-full flex-col overflow-hidden rounded-panel border border-rule/60 bg-surface text-left',
        mark !== undefined && mark.tone !== 'faded' && 'border-2',
        mark?.tone === 'faded' && 'opacity-50',
        mark?.tone === 'removed' && 'border-dashed',
        selected && 'shadow-float ring-2 ring-seal',
      )}
    >
      <div className="flex h-[58px] shrink-0 items-center gap-2.5 px-2.5">
        <CardHead icon={nodeKinds[node.type].icon} name={node.name} summary={summaryOf(node)} />
        {problems.length > 0 && (
          <span title={problems.join('\n')} className="shrink-0 text-bad">
            <CircleAlert aria-label={`${problems.length} to fix`} className="size-4" />
          </span>
        )}
        {problems.length === 0 && hints.length > 0 && (
          <span title={hints.join('\n')} className="shrink-0 text-warn">
            <TriangleAlert aria-label={`${hints.length} to check`} className="size-4" />
          </span>
        )}
      </div>
      {mark?.label !== undefined && <MarkLine mark={mark} />}
      {hasOutputRows(names) && outputs.map((way) => <OutputRow key={handleId(way.name)} way={way} />)}
      <Handle type="target" position={Position.Left} isConnectable={isConnectable} style={{ top: headMiddle }} />
      {names.map((name, index) => (
        <Handle
          key={handleId(name)}
          id={handleId(name)}
          type="source"
          position={Position.Right}
          isConnectable={isConnectable}
          style={{ top: outputY(names, index, mark?.label !== undefined) }}
          title={name ?? 'then'}
        />
      ))}
    </div>
  )
})

function MarkLine({ mark: { tone, label, detail, isPulsing } }: { mark: NodeMark }) {
  return (
    <div className="flex h-[26px] shrink-0 items-center gap-1.5 border-t px-2.5 text-xs">
      <span
        aria-hidden
        style={{ backgroundColor: toneColours[tone] }}
        className={cx('size-2 shrink-0 rounded-full', isPulsing && 'animate-breathe')}
      />
      <span style={{ color: toneColours[tone] }} className="shrink-0 font-medium">
        {label}
      </span>
      {detail !== undefined && <span className="figures min-w-0 truncate text-faint">{detail}</span>}
    </div>
  )
}

const OutputRow = ({ way: { name, isGone } }: { way: Output }) => (
  <div
    className={cx(
      'flex h-6 shrink-0 items-center justify-end px-3 text-xs',
      isGone ? 'text-bad line-through' : 'text-soft',
    )}
    title={isGone ? 'This node no longer has this output.' : undefined}
  >
    <span className="truncate">{name ?? 'then'}</span>
  </div>
)
