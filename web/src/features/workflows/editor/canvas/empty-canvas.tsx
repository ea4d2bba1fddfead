/** The empty state of the canvas, below the Start node. Small, so that it fits on a phone. */
import { Plus } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'

interface EmptyCanvasProps {
  /** On a phone, the panel leaves room for the Start node only. */
  isBesidePanel: boolean
  onAdd: () => void
}

export const EmptyCanvas = ({ isBesidePanel, onAdd }: EmptyCanvasProps) => (
  <div
    className={cx(
      'pointer-events-none absolute inset-x-0 top-1/2 z-10 flex justify-center pt-12',
      isBesidePanel && 'max-sm:hidden',
    )}
  >
    <div className="pointer-events-auto flex flex-col items-center gap-3 rounded-panel bg-ground px-6 py-3 text-center">
      <div>
        <h2 className="font-medium font-serif text-lg">No nodes yet</h2>
        <p className="text-soft">Add the first one, or press A to search.</p>
      </div>
      <Button icon={Plus} onClick={onAdd}>
        Add node
      </Button>
    </div>
  </div>
)
