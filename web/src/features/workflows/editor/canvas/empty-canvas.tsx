/** The empty state of the canvas, below the Start node. */
import { Plus } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/states.tsx'

export const EmptyCanvas = ({ onAdd }: { onAdd: () => void }) => (
  <div className="pointer-events-none absolute inset-x-0 top-1/2 z-10 flex justify-center pt-12">
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
