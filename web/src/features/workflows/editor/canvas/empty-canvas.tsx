/** The empty state of the canvas. */
import { Plus } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/states.tsx'

export const EmptyCanvas = ({ onAdd }: { onAdd: () => void }) => (
  <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center">
    <div className="pointer-events-auto rounded-panel bg-ground">
      <Empty
        title="No nodes yet"
        hint="Drag a node from the left, or press A to search for one."
        action={
          <Button icon={Plus} onClick={onAdd}>
            Add node
          </Button>
        }
      />
    </div>
  </div>
)
