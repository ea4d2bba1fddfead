/** The keyboard shortcuts of the current page. */
import { useState } from 'react'
import { activeShortcuts } from '#lib/keyboard.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Kbd } from '#ui/kbd.tsx'

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [shortcuts] = useState(activeShortcuts)
  return (
    <Dialog title="Keyboard shortcuts" hint="Single-key shortcuts are off while you type." isOpen onClose={onClose}>
      <dl className="grid gap-x-8 sm:grid-cols-2">
        {shortcuts.map(({ keys, label }) => (
          <div key={label} className="flex items-center justify-between gap-4 border-b py-2">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
