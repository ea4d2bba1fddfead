/** The node types, to click or to drag onto the canvas. */
import { type NodeType, nodeTypes } from '@chancery/contract/workflows/graph.ts'
import { nodeKinds } from '../../kinds/node-kinds.ts'
import { dragFormat } from '../canvas/canvas.tsx'

export function Palette({ onAdd }: { onAdd: (type: NodeType) => void }) {
  return (
    <nav aria-label="Node types" className="w-40 shrink-0 overflow-y-auto border-r bg-surface p-2 max-roomy:hidden">
      <p aria-hidden className="px-2 pt-1 pb-2 text-faint text-xs">
        Click or drag
      </p>
      <ul className="flex flex-col gap-0.5">
        {nodeTypes.map((type) => {
          const { label, icon: Icon, purpose } = nodeKinds[type]
          return (
            <li key={type}>
              <button
                type="button"
                draggable
                title={purpose}
                onDragStart={(event) => {
                  event.dataTransfer.setData(dragFormat, type)
                  event.dataTransfer.effectAllowed = 'copy'
                }}
                onClick={() => onAdd(type)}
                className="flex w-full cursor-grab items-center gap-2.5 rounded-control px-2 py-1.5 text-left text-sm hover:bg-sunken active:cursor-grabbing"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-soft" />
                {label}
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
